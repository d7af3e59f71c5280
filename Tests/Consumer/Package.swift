// swift-tools-version: 6.2

import PackageDescription

// A package as a user of QueuedHTTP writes it. `ConsumerTests` copies it to a folder of its own and
// names the repository there.
let package = Package(
  name: "consumer",
  dependencies: [
    .package(
      name: "searchagg", path: Context.environment["SEARCHAGG_REPOSITORY"] ?? "../..", traits: [])
  ],
  targets: [
    .executableTarget(
      name: "consumer",
      dependencies: [.product(name: "QueuedHTTP", package: "searchagg")],
      swiftSettings: [
        .swiftLanguageMode(.v6), .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
      ])
  ]
)
