internal import SafeFiles
internal import SearchSources
internal import TextFormats

/// The credentials of this user: from the environment, else from `credentials.json` in the
/// configuration folder, which nobody else may be able to read.
struct Secrets: Sendable {
  private static let largest = 1 << 20

  private let environment: [String: String]
  private var kept: [String: String] = [:]

  init(in context: Context) throws(CommandFailure) {
    environment = context.environment
    guard let folder = ConfigurationFolder.path(in: context) else { return }
    let path = "\(folder)/credentials.json"
    let bytes: [UInt8]
    do {
      bytes = try PrivateFile(path: path).read(limit: Self.largest)
    } catch .missing {
      return
    } catch {
      throw CommandFailure(.badConfiguration, "\(error)")
    }
    guard let value = try? JSONValue(reading: bytes), case .object(let members) = value else {
      // The parser's words could quote the file, so they are not passed on.
      throw CommandFailure(
        .badConfiguration, #"\#(path): expected an object such as {"X_BEARER_TOKEN": "…"}"#)
    }
    for member in members {
      guard case .string(let secret) = member.value else {
        throw CommandFailure(.badConfiguration, "\(path): \(member.key): expected a text")
      }
      kept[member.key] = secret
    }
  }

  /// The values of these variables, when all are there.
  func credentials(named names: [String]) -> Credentials? {
    let values = names.compactMap { name in
      (environment[name] ?? kept[name]).flatMap { $0.isEmpty ? nil : $0 }
    }
    return !names.isEmpty && values.count == names.count ? Credentials(values, names: names) : nil
  }
}
