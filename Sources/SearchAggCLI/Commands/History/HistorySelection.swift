/// The options of the commands that look into the history.
enum HistorySelection: SettingSelection {
  private static let names: Set = [
    "source", "limit", "since", "until", "format", "fields", "posts-only", "cells", "sort",
    "output", "color", "state", "config", "include-private", "include-muted",
  ]
  private static let help = [
    "source":
      "Print only posts from these sources, separated by commas (see: `searchagg sources`).",
    "include-private":
      "Also print non-public posts that were kept (see: `searchagg help queries`).",
    "state": StateFileOption.help,
  ]
  static let settings = Setting.only(names, explained: help)
}

/// The option that names the state.
enum StateFileOption: SettingSelection {
  static let help =
    "Use this file instead, or this PostgreSQL database (see: `searchagg help state`)."
  static let settings = Setting.only(["state", "config"], explained: ["state": help])
}
