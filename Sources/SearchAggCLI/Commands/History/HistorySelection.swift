/// The options of the commands that look into the history.
enum HistorySelection: SettingSelection {
  private static let names: Set = [
    "source", "limit", "since", "until", "format", "fields", "posts-only", "cells", "sort",
    "output", "color", "state", "config", "include-private", "include-muted",
  ]
  static let settings = Setting.only(names)
}

/// The option that names the state.
enum StateFileOption: SettingSelection {
  static let settings = Setting.only(["state", "config"])
}
