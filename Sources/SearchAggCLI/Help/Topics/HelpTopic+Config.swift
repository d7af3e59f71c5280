extension HelpTopic {
  static var configText: String {
    let rows = Setting.all.filter { $0.places.contains(.file) }.map { setting in
      (
        label: setting.isAllowedInProject ? "\(setting.name) *" : setting.name,
        text: setting.helpWithDefault
      )
    }
    return """
      CONFIGURATION FILES
        A setting is taken from the first of these that has it: the option, the tag's own setting, the variable, ./searchagg.json, config.json in the configuration folder ($XDG_CONFIG_HOME/searchagg, by default ~/.config/searchagg). `--config FILE` replaces both files.

        A file is an object of settings and sources:

          {
            "jobs": 32,
            "max-cost": "x=100",
            "sources": { "mastodon": { "servers": [
              "https://mastodon.social",
              { "url": "https://hachyderm.io", "credentials": ["HACHYDERM_TOKEN"] }
            ] } }
          }

        See `searchagg help json-sources` for declaring a source of your own.

        ./searchagg.json may come from someone else, so it can only set the settings marked with * below, and no sources.

        `searchagg config show` prints each setting, its value and where it was set; `searchagg config check` looks for mistakes; `searchagg config path` prints the path of your own file.

      SETTINGS
      \(table(rows, columns: 20))
      """
  }
}
