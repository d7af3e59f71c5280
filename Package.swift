// swift-tools-version: 6.2

import PackageDescription

/// What every Swift target is compiled with; warnings become errors in `make check`, not here,
/// so that a user's next compiler does not break the build.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

// What only the command and its simulator need. Without the trait these packages are not fetched.
let argumentParser = Target.Dependency.product(
  name: "ArgumentParser", package: "swift-argument-parser",
  condition: .when(traits: ["CommandLine"]))
let flyingSocks = Target.Dependency.product(
  name: "FlyingSocks", package: "FlyingFox", condition: .when(traits: ["CommandLine"]))

let package = Package(
  name: "searchagg",
  products: [
    .executable(name: "searchagg", targets: ["searchagg"]),
    .executable(name: "searchagg-sim", targets: ["searchagg-sim"]),
    .library(name: "QueuedHTTP", targets: ["QueuedHTTP"]),
  ],
  traits: [
    .default(enabledTraits: ["CommandLine"]),
    .trait(
      name: "CommandLine",
      description: "The searchagg command and its simulator; a package that uses QueuedHTTP alone "
        + "turns it off (traits: []), and then resolves only what QueuedHTTP itself imports."),
    .trait(name: "Logging", description: "QueuedHTTP's observer that writes to swift-log."),
    .trait(name: "Metrics", description: "QueuedHTTP's observer that counts with swift-metrics."),
    .trait(
      name: "Tracing", description: "QueuedHTTP's observer for swift-distributed-tracing."),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
    .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
    .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
  ],
  targets: [
    // The C quarantine.
    .systemLibrary(
      name: "CCurl", pkgConfig: "libcurl",
      providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(
      name: "CZLib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CProcessor"),
    // A C++ target rather than a system library: simdjson.pc carries a flag that SwiftPM refuses.
    .target(
      name: "CSimdJSON",
      linkerSettings: [.linkedLibrary("simdjson")]),

    // Opens PostgreSQL's client library when a shared state is named: it is neither linked nor needed to build.
    .target(name: "CPostgres"),

    // The libraries, lowest first.
    .target(name: "Digests", swiftSettings: settings + [.strictMemorySafety()]),
    .target(
      name: "SafeFiles",
      dependencies: [.product(name: "SystemPackage", package: "swift-system")],
      swiftSettings: settings),
    .target(
      name: "QueuedHTTP",
      dependencies: [
        "CCurl", "CZLib", "Digests", "SafeFiles",
        .product(name: "DequeModule", package: "swift-collections"),
        .product(name: "HeapModule", package: "swift-collections"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(
          name: "Logging", package: "swift-log", condition: .when(traits: ["Logging"])),
        .product(
          name: "Metrics", package: "swift-metrics", condition: .when(traits: ["Metrics"])),
        .product(
          name: "Tracing", package: "swift-distributed-tracing",
          condition: .when(traits: ["Tracing"])),
        .product(
          name: "Instrumentation", package: "swift-distributed-tracing",
          condition: .when(traits: ["Tracing"])),
      ],
      exclude: ["README.md"],
      swiftSettings: settings + [.strictMemorySafety()]),
    .target(
      name: "TextFormats", dependencies: ["CProcessor", "CSimdJSON"],
      swiftSettings: settings + [.strictMemorySafety()]),
    .target(
      name: "SearchModel", dependencies: ["CProcessor", "TextFormats"], swiftSettings: settings),
    .target(
      name: "SearchSources", dependencies: ["QueuedHTTP", "TextFormats", "SearchModel"],
      resources: [.embedInCode("Catalog")],
      swiftSettings: settings),
    .target(
      name: "SearchEngine",
      dependencies: [
        "QueuedHTTP", "SearchSources", "SearchModel",
        .product(name: "HeapModule", package: "swift-collections"),
      ],
      swiftSettings: settings),
    .target(
      name: "Printing", dependencies: ["Digests", "TextFormats", "SearchModel"],
      swiftSettings: settings),
    .target(
      name: "TagStorage", dependencies: ["SafeFiles", "TextFormats", "SearchModel"],
      swiftSettings: settings),
    .target(
      name: "PostHistory",
      dependencies: ["CSQLite", "Digests", "SafeFiles", "TextFormats", "SearchModel"],
      swiftSettings: settings),
    .target(
      name: "SharedHistory",
      dependencies: ["CPostgres", "PostHistory", "TextFormats", "SearchModel"],
      swiftSettings: settings),

    .target(
      name: "ExchangeRecording",
      dependencies: [
        "QueuedHTTP", "SafeFiles", "SearchEngine", "TextFormats",
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: settings),

    // What a run, a watch and a delivery are.
    .target(
      name: "Application",
      dependencies: [
        "Digests", "QueuedHTTP", "TextFormats", "SafeFiles", "SearchModel", "SearchSources",
        "SearchEngine", "Printing", "TagStorage", "ExchangeRecording", "PostHistory",
        "SharedHistory",
        .product(name: "HeapModule", package: "swift-collections"),
      ],
      swiftSettings: settings),

    // The command.
    .target(
      name: "SearchAggCLI",
      dependencies: [
        "Application", "QueuedHTTP", "TextFormats", "SafeFiles", "SearchModel", "SearchSources",
        "SearchEngine", "Printing", "TagStorage", "ExchangeRecording", "PostHistory",
        "SharedHistory",
        argumentParser,
      ],
      swiftSettings: settings),
    .executableTarget(name: "searchagg", dependencies: ["SearchAggCLI"], swiftSettings: settings),

    // The simulator of the networks, for tests, benchmarks and `make run`.
    .target(
      name: "NetworkSimulator",
      dependencies: [
        "TextFormats", "SearchModel",
        flyingSocks,
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "searchagg-sim",
      dependencies: [
        "NetworkSimulator",
        argumentParser,
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "searchagg-bench",
      dependencies: [
        "Application", "CSQLite", "PostHistory", "Printing", "QueuedHTTP", "SearchAggCLI",
        "SearchEngine", "SearchModel", "SearchSources", "SharedHistory", "TextFormats",
        argumentParser,
      ],
      swiftSettings: settings),
    .target(
      name: "TestSupport", dependencies: ["SearchModel"], path: "Tests/TestSupport",
      swiftSettings: settings),
  ]
    + ([
      (
        "ApplicationTests",
        [
          "TestSupport", "Application", "PostHistory", "Printing", "QueuedHTTP", "SafeFiles",
          "SearchEngine", "SearchModel", "SearchSources", "SharedHistory", "TextFormats",
        ]
      ),
      ("ArchitectureTests", []),
      ("DigestsTests", ["Digests"]),
      ("EndToEndTests", ["TestSupport", "NetworkSimulator", "TextFormats"]),
      (
        "ExchangeRecordingTests",
        ["TestSupport", "ExchangeRecording", "QueuedHTTP", "SearchEngine", "TextFormats"]
      ),
      ("NetworkSimulatorTests", ["TestSupport", "NetworkSimulator", "QueuedHTTP", "TextFormats"]),
      (
        "PostHistoryTests",
        [
          "TestSupport", "CSQLite", "PostHistory", "SharedHistory", "SearchModel", "SafeFiles",
          "TextFormats",
        ]
      ),
      ("PrintingTests", ["TestSupport", "Printing", "SearchModel", "TextFormats"]),
      (
        "QueuedHTTPTests",
        [
          "TestSupport", "QueuedHTTP", "CZLib",
          .product(name: "HTTPTypes", package: "swift-http-types"),
        ]
      ),
      ("SafeFilesTests", ["TestSupport", "SafeFiles"]),
      (
        "SearchAggCLITests",
        [
          "TestSupport", "Application", "SearchAggCLI", "PostHistory", "QueuedHTTP", "SearchEngine",
          "SearchModel",
          "SearchSources", "TextFormats", "NetworkSimulator",
        ]
      ),
      (
        "SearchEngineTests",
        [
          "TestSupport", "SearchEngine", "SearchSources", "SearchModel", "QueuedHTTP",
          "TextFormats", "NetworkSimulator",
        ]
      ),
      ("SearchModelTests", ["TestSupport", "SearchModel"]),
      (
        "SearchSourcesTests",
        [
          "TestSupport", "SearchSources", "SearchModel", "QueuedHTTP", "TextFormats",
          "NetworkSimulator",
        ]
      ),
      (
        "TagStorageTests", ["TestSupport", "TagStorage", "SafeFiles", "SearchModel", "TextFormats"]
      ),
      ("TextFormatsTests", ["TestSupport", "TextFormats"]),
    ] as [(String, [Target.Dependency])]).map { name, dependencies in
      .testTarget(
        name: name, dependencies: dependencies,
        exclude: name == "PostHistoryTests" ? ["Fixtures"] : [], swiftSettings: settings)
    },
  cxxLanguageStandard: .cxx17
)

// What `make fuzz` alone builds, since libFuzzer is no part of the product.
if Context.environment["SEARCHAGG_FUZZ"] != nil {
  package.targets += [
    .executableTarget(
      name: "searchagg-fuzz",
      dependencies: [
        "CZLib", "NetworkSimulator", "Printing", "QueuedHTTP", "SearchModel", "SearchSources",
        "TagStorage", "TextFormats",
      ],
      path: "Fuzz/searchagg-fuzz", swiftSettings: settings)
  ]
}

// SEARCHAGG_TARGETS names the targets to build with what they need, and leaves out all others: for the
// tests of a part, under a sanitizer or with a fault put in.
if let names = Context.environment["SEARCHAGG_TARGETS"] {
  let targets = Dictionary(uniqueKeysWithValues: package.targets.map { ($0.name, $0) })
  var kept: Set<String> = []
  var waiting = names.split(separator: " ").map(String.init)
  while let name = waiting.popLast() {
    guard kept.insert(name).inserted else { continue }
    for dependency in targets[name]?.dependencies ?? [] {
      switch dependency {
      case .byNameItem(let name, _), .targetItem(let name, _): waiting.append(name)
      default: break
      }
    }
  }
  package.products = []
  // A name that is wrong becomes a target without sources, which is an error.
  package.targets =
    package.targets.filter { kept.contains($0.name) }
    + kept.filter { targets[$0] == nil }.map { .target(name: $0) }
}
