internal import ArgumentParser

/// The format of what a command reports: for people, or for programs.
enum ReportFormat: String, CaseIterable, ExpressibleByArgument { case text, json }
