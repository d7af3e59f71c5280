/// The settings of the HTTP client.
package struct ClientSettings: Hashable, Sendable {
  /// The number of requests to run at once.
  package let jobs: Int
  let proxy: String?
  let userAgent: String
  /// The folder that keeps responses from one run to the next; nil keeps none.
  let cacheFolder: String?
  /// The folder that a recording of the run is written to; nil for none.
  package let recordingFolder: String?
  /// True if a terminal shows what the cache has before the networks answer.
  let showsCacheFirst: Bool

  init(_ written: WrittenSettings, for use: SettingsUse) {
    jobs = written.jobs
    proxy = written.proxy
    userAgent = written.userAgent ?? Version.userAgent
    // A cached response says nothing about whether a source works now.
    cacheFolder = use == .ask ? nil : written.cacheFolder
    recordingFolder = use == .run ? written.recordingFolder : nil
    showsCacheFirst = written.refreshes
  }
}
