// swift-tools-version: 6.2

import PackageDescription

// A package that uses QueuedHTTP with the observers of its traits. `ObserverTraitTests` copies it to a
// folder of its own and sets the path of the repository.
let package = Package(
  name: "observers",
  dependencies: [
    .package(
      name: "searchagg", path: Context.environment["SEARCHAGG_REPOSITORY"] ?? "../..",
      traits: ["Logging", "Metrics", "Tracing"]),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
  ],
  targets: [
    .executableTarget(
      name: "observers",
      dependencies: [
        .product(name: "QueuedHTTP", package: "searchagg"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "InMemoryLogging", package: "swift-log"),
        .product(name: "Metrics", package: "swift-metrics"),
        .product(name: "MetricsTestKit", package: "swift-metrics"),
        .product(name: "Tracing", package: "swift-distributed-tracing"),
        .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
      ],
      swiftSettings: [.swiftLanguageMode(.v6)])
  ]
)
