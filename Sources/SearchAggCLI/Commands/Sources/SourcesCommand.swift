internal import Application
internal import ArgumentParser

/// `searchagg sources`: the networks that can be asked.
struct SourcesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sources",
    abstract: "List the networks, check them, and show the requests they would get.",
    discussion: """
      EXAMPLES:
          searchagg sources
          searchagg sources check mastodon hackernews
          searchagg sources show github --query '#swiftlang'
          searchagg sources login bluesky
          searchagg sources enable arxiv crossref

      A network of your own is declared in the configuration file: see `searchagg help json-sources`.

      \(CredentialGuide.text)
      """,
    subcommands: [
      SourcesList.self, SourcesCheck.self, SourcesShow.self, SourcesLogin.self, SourcesLogout.self,
      SourcesEnable.self, SourcesDisable.self, SourcesAdd.self, SourcesRemove.self,
      SourcesExport.self,
    ],
    defaultSubcommand: SourcesList.self)
}
