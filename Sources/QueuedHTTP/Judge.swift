public import FoundationEssentials

/// A pure function of a response that says how the request goes on; it runs off the worker thread.
///
/// The date is the moment at which the response ended, for waits that are given as a moment.
public typealias Judge = @Sendable (HTTPResponse, Date) -> Verdict
