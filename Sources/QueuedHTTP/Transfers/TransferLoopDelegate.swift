/// The client as its worker thread sees it.
protocol TransferLoopDelegate: AnyObject {
  var configuration: ClientConfiguration { get }
  var waker: Waker { get }
  var executor: WorkerExecutor { get }
  /// Lets a paused transfer continue, from any thread.
  var resume: @Sendable (RequestID) -> Void { get }

  /// Lets the queue do what is due, and hands out all commands.
  ///
  /// - Parameter commands: Empty; its memory is used for the commands to come.
  func takeWork(at moment: Moment, into commands: inout [WorkerCommand]) -> WorkerTasks

  /// True if there are commands, and when the worker must be awake again; asked before it sleeps.
  func pendingWork() -> (hasCommands: Bool, deadline: Moment?)

  /// The first transfer for an attempt of the request was handed to libcurl.
  func attemptStarted(_ ticket: Ticket)

  func attemptEnded(_ ticket: Ticket, _ outcome: AttemptOutcome)

  /// A redirect leads into another lane, where the request has to wait for its turn.
  func attemptMoved(_ ticket: Ticket, _ leg: Leg)

  /// Counts how often a request was sent again in its slot; called before the attempt ends.
  ///
  /// - Parameter retries: How many of these times were retries, after a connection had died.
  func countResends(_ count: Int, retries: Int, of id: RequestID)

  /// A successful response has begun, whose body goes to a stream or a file and may take long.
  func responseBegan(_ id: RequestID)

  /// Counts the connections of a transfer; called before the attempt ends.
  func countConnections(opened: Int, reused: Int)

  /// Sets the number of body bytes since the worker began.
  func setTraffic(received: Int, sent: Int)

  /// All that the worker ended in this round can be reported now.
  func roundEnded()

  /// All transfers that ran when the number was given have ended.
  func acknowledgeRemoval(_ number: UInt64)

  /// The worker has ended, and all its transfers with it.
  func workerEnded()
}

struct WorkerTasks {
  var concurrency: Int
  var isStopping: Bool
}

/// A command to the worker; commands are carried out in the order in which they were decided.
enum WorkerCommand: Sendable {
  case start(Ticket, Leg)
  case remove(RequestID)
  /// Lets a transfer continue that paused because nobody took its bytes, or it had none to send.
  case resume(RequestID)
  /// Ends all transfers; the number is acknowledged after that.
  case removeAll(UInt64)
}

enum AttemptOutcome: Sendable {
  case response(HTTPResponse)
  /// A response whose body is in a file that has only a temporary name yet.
  case file(HTTPResponse, BodyFile)
  case fault(HTTPError)
}
