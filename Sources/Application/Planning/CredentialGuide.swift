/// Instructions for getting the credential of a network, with the permissions it needs.
package struct CredentialGuide: Sendable {
  /// The variables of the credential.
  package let variables: [String]
  /// The page where it is made, short enough for a table.
  package let page: String
  /// The steps on that page, and the permissions.
  package let details: String

  package static let all = [
    CredentialGuide(
      variables: ["X_BEARER_TOKEN"], page: "console.x.com",
      details: "The app's keys and tokens, Bearer Token. The account needs credits or a plan with "
        + "recent search."),
    CredentialGuide(
      variables: ["BLUESKY_IDENTIFIER", "BLUESKY_APP_PASSWORD"], page: "bsky.app",
      details:
        "Your handle, and an app password: Settings, Privacy and security, App passwords. It "
        + "does not need access to direct messages."),
    CredentialGuide(
      variables: ["MASTODON_ACCESS_TOKEN"], page: "your server",
      details: "Preferences, Development, New application, with the scopes read:search and "
        + "read:statuses. A token is valid for its own server only."),
    CredentialGuide(
      variables: ["MISSKEY_TOKEN"], page: "your server",
      details: "Settings, API, Generate access token, with the permission \"View your account "
        + "information\". A token is valid for its own server only."),
    CredentialGuide(
      variables: ["GITHUB_TOKEN"], page: "github.com/settings/personal-access-tokens",
      details: "A fine-grained token with read-only access to public repositories and no other "
        + "permission."),
    CredentialGuide(
      variables: ["REDDIT_CLIENT_ID", "REDDIT_CLIENT_SECRET"], page: "reddit.com/prefs/apps",
      details: "An app of the type \"web app\" or \"script\". Reddit may have to approve it first. "
        + "The scope read is requested."),
    CredentialGuide(
      variables: ["STACKEXCHANGE_KEY"], page: "stackapps.com/apps/oauth/register",
      details: "The key of an app. It is not a secret and has no scopes."),
    CredentialGuide(
      variables: ["YOUTUBE_API_KEY"], page: "console.cloud.google.com",
      details: "A project with the YouTube Data API v3, Credentials, API key, restricted to that "
        + "API."),
    CredentialGuide(
      variables: ["TUMBLR_API_KEY"], page: "tumblr.com/oauth/apps",
      details: "The OAuth Consumer Key of an app."),
    CredentialGuide(
      variables: ["THREADS_ACCESS_TOKEN"], page: "developers.facebook.com",
      details: "An app with the Threads use case; a user's token with the scopes threads_basic and "
        + "threads_keyword_search. Until the app is approved, only your own posts are found."),
  ]

  /// The guide of a variable; nil for a variable that a user has named.
  static func guide(to variable: String) -> CredentialGuide? {
    all.first { $0.variables.contains(variable) }
  }
}
