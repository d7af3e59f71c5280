extension CatalogNetwork {
  /// All of them, by subject.
  static let all: [CatalogNetwork] =
    ([
      ArXivService(), CrossrefService(), OpenAlexService(), EuropePMCService(), DBLPService(),
      ZenodoService(), DOAJService(),
      GitLabProjectsService(), GitLabIssuesService(), GiteaService(name: "codeberg"),
      GiteaService(name: "gitea"), OpenVSXService(), FlathubService(), LaunchpadService(),
      BugzillaService(), HuggingFaceService(kind: .models), HuggingFaceService(kind: .datasets),
      GDELTService(), GOVUKService(), PublicInboxService(name: "lore"),
      PublicInboxService(name: "public-inbox"),
      MediaWikiService(name: "wikipedia"), MediaWikiService(name: "mediawiki"),
      InternetArchiveService(),
      SepiaSearchService(name: "sepiasearch"), SepiaSearchService(name: "peertube"),
      MediaCCCService(),
      WordPressService(), MbinService(), PieFedService(),
    ] as [any CatalogService]).map(CatalogNetwork.init)
}
