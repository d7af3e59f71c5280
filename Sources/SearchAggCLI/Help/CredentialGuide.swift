/// Where people get the credential of each network, and what it must be allowed to do.
enum CredentialGuide {
  /// A page's section for the help of `sources`.
  static let text = """
    CREDENTIALS:
      X_BEARER_TOKEN
          console.x.com: the app's keys and tokens, Bearer Token. The account needs credits or a plan
          with recent search.
      BLUESKY_IDENTIFIER, BLUESKY_APP_PASSWORD
          Your handle, and an app password: bsky.app, Settings, Privacy and security, App passwords.
          It needs no access to direct messages.
      MASTODON_ACCESS_TOKEN
          Your server: Preferences, Development, New application; the scopes read:search and
          read:statuses. A token is good for its own server only.
      MISSKEY_TOKEN
          Your server: Settings, API, Generate access token; the permission "View your account
          information". A token is good for its own server only.
      GITHUB_TOKEN
          github.com/settings/personal-access-tokens: a fine-grained token with read-only access to
          public repositories; it needs no other permission.
      REDDIT_CLIENT_ID, REDDIT_CLIENT_SECRET
          reddit.com/prefs/apps: an app of the type "web app" or "script". Reddit may have to approve
          it first. The scope read is asked for.
      STACKEXCHANGE_KEY
          stackapps.com/apps/oauth/register: the key of an app. It is no secret and has no scopes.
      YOUTUBE_API_KEY
          console.cloud.google.com: a project with the YouTube Data API v3, Credentials, API key,
          restricted to that API.
      TUMBLR_API_KEY
          tumblr.com/oauth/apps: the OAuth Consumer Key of an app.
      THREADS_ACCESS_TOKEN
          developers.facebook.com: an app with the Threads use case; a user's token with the scopes
          threads_basic and threads_keyword_search. Before the app is approved, only your own posts are
          found.

      Credentials are set in the environment or in credentials.json: see searchagg help environment.
    """
}
