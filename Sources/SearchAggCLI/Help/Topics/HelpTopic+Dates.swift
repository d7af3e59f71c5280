extension HelpTopic {
  static let datesText = """
    DATES (--since, --until)
      2026-11-20             The beginning of that day, in local time.
      2026-11                The beginning of that month, in local time.
      2026-11-20T09:00       That time, in local time; 2026-11-20 09:00 is the same.
      2026-11-20T09:00:00Z   RFC 3339, with any offset.
      now                    This moment.
      today, yesterday       The beginning of that day, in local time; yesterday 09:00 is that time.
      09:00                  The latest such time that is not in the future.
      last monday            The beginning of the last Monday before today.
      last week              One week ago; last month is one month ago.
      90m, 2h, 3d, 1w        Minutes, hours, days or weeks ago.
      1month, 1y             Months or years ago, by the calendar; m alone is minutes.
      3 days ago, 3days      The same in words.

      --since is inclusive and cannot be in the future; --until is exclusive. Posts without a date are left out and counted, unless `--undated keep` is given. Local time is the zone of TZ, or of the system.

    LENGTHS OF TIME (--timeout, --max-time, --max-wait)
      20, 20s, 1.5m, 500ms, 1h   A number without a unit is in seconds.

    AGES (--expect-within, history prune --older)
      12h, 2d, 1w   Hours, days or weeks.
    """
}
