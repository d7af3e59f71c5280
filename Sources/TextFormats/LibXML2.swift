internal import CLibXML2

/// What the parsers of XML and of HTML share of libxml2.
enum LibXML2 {
  /// Its tables, which must be made before two threads parse at once.
  static let isPrepared: Bool = {
    xmlInitParser()
    return true
  }()
}
