package import SearchModel
package import TextFormats

/// The networks that come with searchagg as declarations, and are searched only when they are named.
///
/// A declaration is read when its network is named, so that a run pays for nothing else.
package enum Catalog {
  /// The subjects, which are also the names of groups of sources.
  package enum Subject: String, CaseIterable, Sendable {
    case science, code, news, knowledge, media, fediverse
  }

  /// A network of the catalog.
  package struct Entry: Sendable {
    package let name: SourceName
    package let subject: Subject
    /// The server that is searched unless users name another, if the declaration does not say.
    private let server: String?
    private let content: @Sendable () -> [UInt8]

    fileprivate init(
      _ name: SourceName, _ subject: Subject, at server: String? = nil,
      _ content: @escaping @Sendable () -> [UInt8]
    ) {
      self.name = name
      self.subject = subject
      self.server = server
      self.content = content
    }

    /// The declaration as JSON.
    package var bytes: [UInt8] { content() }

    /// Reads the declaration.
    package func network() throws(DocumentError) -> any DeclaredSource {
      var network = try Declaration.source(
        name, reading: try JSONDocument(reading: bytes).root(quotingValues: true))
      if let server { network.traits.defaultServer = server }
      return network
    }
  }

  package static func entry(named name: String) -> Entry? {
    entries.first { $0.name.rawValue == name }
  }

  /// The networks of a subject.
  package static func entries(about subject: Subject) -> [Entry] {
    entries.filter { $0.subject == subject }
  }

  /// One line for each file in the folder `Catalog`.
  package static let entries: [Entry] = [
    Entry("arxiv", .science) { PackageResources.arxiv_json },
    Entry("crossref", .science) { PackageResources.crossref_json },
    Entry("openalex", .science) { PackageResources.openalex_json },
    Entry("europepmc", .science) { PackageResources.europepmc_json },
    Entry("dblp", .science) { PackageResources.dblp_json },
    Entry("zenodo", .science) { PackageResources.zenodo_json },
    Entry("doaj", .science) { PackageResources.doaj_json },
    Entry("gitlab-projects", .code) { PackageResources.gitlab_projects_json },
    Entry("gitlab-issues", .code) { PackageResources.gitlab_issues_json },
    Entry("codeberg", .code, at: "https://codeberg.org") { PackageResources.gitea_json },
    Entry("gitea", .code) { PackageResources.gitea_json },
    Entry("openvsx", .code) { PackageResources.openvsx_json },
    Entry("flathub", .code) { PackageResources.flathub_json },
    Entry("launchpad", .code) { PackageResources.launchpad_json },
    Entry("bugzilla", .code) { PackageResources.bugzilla_json },
    Entry("hf-models", .code) { PackageResources.hf_models_json },
    Entry("hf-datasets", .code) { PackageResources.hf_datasets_json },
    Entry("gdelt", .news) { PackageResources.gdelt_json },
    Entry("govuk", .news) { PackageResources.govuk_json },
    Entry("lore", .news, at: "https://lore.kernel.org/all") { PackageResources.public_inbox_json },
    Entry("public-inbox", .news) { PackageResources.public_inbox_json },
    Entry("wikipedia", .knowledge) { PackageResources.wikipedia_json },
    Entry("mediawiki", .knowledge) { PackageResources.mediawiki_json },
    Entry("internetarchive", .media) { PackageResources.internetarchive_json },
    Entry("sepiasearch", .media, at: "https://sepiasearch.org") { PackageResources.peertube_json },
    Entry("peertube", .media) { PackageResources.peertube_json },
    Entry("media-ccc", .media) { PackageResources.media_ccc_json },
    Entry("wordpress", .media) { PackageResources.wordpress_json },
    Entry("mbin", .fediverse) { PackageResources.mbin_json },
    Entry("piefed", .fediverse) { PackageResources.piefed_json },
  ]
}
