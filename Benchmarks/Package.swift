// swift-tools-version: 6.2

import PackageDescription

// A package of its own, so that the product does not depend on its peers.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let client = Target.Dependency.product(name: "QueuedHTTP", package: "searchagg")

let package = Package(
  name: "searchagg-benchmarks",
  dependencies: [
    .package(name: "searchagg", path: ".."),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.80.0"),
  ],
  targets: [
    .target(name: "Measuring", swiftSettings: settings),
    .executableTarget(
      name: "throughput-queuedhttp", dependencies: [client, "Measuring"], swiftSettings: settings),
    .target(name: "CCurlLoop", linkerSettings: [.linkedLibrary("curl")]),
    .executableTarget(
      name: "throughput-continuation", dependencies: ["CCurlLoop", "Measuring"],
      swiftSettings: settings),
    .executableTarget(
      name: "throughput-asynchttpclient",
      dependencies: [
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"), "Measuring",
      ], swiftSettings: settings),
    .executableTarget(
      name: "cancel-latency", dependencies: [client, "Measuring"], swiftSettings: settings),
    .executableTarget(name: "soak", dependencies: [client, "Measuring"], swiftSettings: settings),
  ]
)
