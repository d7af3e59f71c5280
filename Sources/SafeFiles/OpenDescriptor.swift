internal import SystemPackage

/// The descriptors of this process that have a path.
package enum OpenDescriptor {
  /// Returns the number of an open descriptor that a path names, perhaps behind links, as /dev/stdout and /dev/fd/3 do.
  package static func number(namedBy path: String) -> Int32? { FilePath(path).namedDescriptor }
}
