import Dispatch
import FoundationEssentials
import Glibc

/// Passes inputs of libFuzzer, which provides the main function, to one of the readers of untrusted
/// data: `FUZZ_TARGET` names it.
///
///     FUZZ_TARGET=html searchagg-fuzz [OPTION OF LIBFUZZER ...] [FOLDER ...]
///     FUZZ_SEEDS=FOLDER searchagg-fuzz        # writes the seed inputs
enum Fuzz {
  private static let targets: [String: @Sendable ([UInt8]) -> Int32] = [
    "answers": AnswersTarget.read, "bodies": BodiesTarget.read, "dates": DatesTarget.read,
    "feeds": FeedsTarget.read, "heads": HeadsTarget.read, "html": HTMLTarget.read,
    "links": LinksTarget.read, "tags": TagsTarget.read,
  ]

  static let target: @Sendable ([UInt8]) -> Int32 = {
    let name = variable("FUZZ_TARGET") ?? ""
    guard let target = targets[name] else {
      print("FUZZ_TARGET is to be one of \(targets.keys.sorted().joined(separator: ", "))")
      exit(64)
    }
    return target
  }()

  static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  /// Writes the seeds, and ends the process.
  static func writeSeeds(to folder: String) {
    let done = DispatchSemaphore(value: 0)
    Task {
      do {
        try await Seeds.write(to: URL(filePath: folder))
      } catch {
        print("no seeds: \(error)")
        exit(1)
      }
      done.signal()
    }
    done.wait()
    exit(0)
  }
}

/// Called by libFuzzer first.
@_cdecl("LLVMFuzzerInitialize")
func initialize(
  _ count: UnsafeMutablePointer<Int32>?,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>?
) -> Int32 {
  if let folder = Fuzz.variable("FUZZ_SEEDS") { Fuzz.writeSeeds(to: folder) }
  return 0
}

/// Called by libFuzzer with each input; -1 keeps it out of the corpus.
@_cdecl("LLVMFuzzerTestOneInput")
func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  Fuzz.target(Array(UnsafeBufferPointer(start: start, count: count)))
}
