import Foundation
import QueuedHTTP
import SearchEngine
import Testing

@testable import ExchangeRecording

/// The order in which responses are recorded and delivered: that in which the run uses them.
@Suite struct UseOrderTests {
  private func exchange(
    _ url: String, for search: Int?, step: Int? = nil, status: Int = 200
  ) -> RecordedExchange {
    var exchange = RecordedExchange(
      request: .init(method: "GET", url: url, body: []),
      result: .success(HTTPResponse(status: status)), started: .distantPast, arrived: .distantPast)
    exchange.search = search
    exchange.step = step
    return exchange
  }

  private func pausing(_ exchange: RecordedExchange, number: Int, after: Int) -> RecordedExchange {
    var exchange = exchange
    exchange.pause = .init(
      response: HTTPResponse(status: 429), moment: .distantPast, number: number, after: after)
    return exchange
  }

  private func schedule(
    _ exchanges: [RecordedExchange], claiming claimed: [Int], lastEvents: [RunEvent] = []
  ) -> ReplaySchedule {
    var schedule = ReplaySchedule(exchanges, lastEvents: lastEvents)
    for index in claimed {
      #expect(schedule.claim(exchanges[index].request, for: exchanges[index].search) == index)
      schedule.wait(index)
    }
    return schedule
  }

  @Test func `Exchanges are written in the order of the steps, whatever the order of arrival`() {
    var order = UseOrder()
    for search in 0...2 {
      #expect(order.add(.init(exchange: exchange("\(search)", for: search))).isEmpty)
    }
    #expect(order.note(RunStep(1, .pages(of: [0]))).isEmpty)
    let written = order.note(RunStep(0, .pages(of: [2, 1])))
    #expect(written.map(\.exchange.request.url) == ["2", "1", "0"])
    #expect(written.map(\.exchange.step) == [0, 0, 1])
    #expect(written.map(\.exchange.number) == [2, 1, 0])
  }

  @Test func `A response that another request follows is written without a step`() {
    var order = UseOrder()
    #expect(order.add(.init(exchange: exchange("expired", for: 4))).isEmpty)
    let first = order.add(.init(exchange: exchange("again", for: 4)))
    #expect(first.map(\.exchange.request.url) == ["expired"])
    #expect(first.first?.exchange.step == nil)
    #expect(order.add(.init(exchange: exchange("software", for: nil))).count == 1)
    #expect(order.note(RunStep(0, .pages(of: [4]))).map(\.exchange.request.url) == ["again"])
  }

  @Test func `An event stands with the next exchange, and at the end where none follows`() {
    var order = UseOrder()
    _ = order.add(.init(exchange: exchange("a", for: 0)))
    #expect(order.note(RunStep(0, .patienceLost)).isEmpty)
    #expect(order.note(RunStep(1, .pages(of: [0]))).first?.exchange.events == [.patienceLost])
    _ = order.add(.init(exchange: exchange("b", for: 0)))
    #expect(order.note(RunStep(2, .timeUp)).isEmpty)
    let late = order.note(RunStep(3, .ignored(of: [0])))
    #expect(late.first?.exchange.events == [.timeUp])
    #expect(late.first?.exchange.isIgnored == true)
    #expect(order.note(RunStep(4, .patienceLost)).isEmpty)
    #expect(order.events == [.patienceLost])
  }

  @Test func `A response waits until those of the steps before it have been used`() {
    let exchanges = [
      exchange("a", for: 0, step: 0), exchange("b", for: 1, step: 0),
      exchange("c", for: 2, step: 1),
    ]
    var schedule = schedule(exchanges, claiming: [2, 1, 0])
    #expect(schedule.due() == [.deliver(0), .deliver(1)])
    #expect(schedule.isBusy)
    schedule.use(by: [1])
    #expect(schedule.due() == [])
    schedule.use(by: [0])
    #expect(schedule.due() == [.deliver(2)])
  }

  @Test(arguments: [
    ("f=id,text", "f=id,media,text", true), ("f=id%2Ctext&n=20", "n=20&f=text%2Cid%2Ctext", true),
    ("q=swift", "q=swift%20is%3Apublic", true), ("q=swift&n=20", "q=swift&n=20&x=1", true),
    ("", "q=swift", true), ("f=id,text", "f=text,id", false), ("n=20", "n=200", false),
    ("q=swift&n=20", "q=swift", false), ("q=swift", "q=swiftui", false), ("q=a&q=b", "q=b", false),
  ])
  func `A request as an earlier version has written it is known by what it has`(
    _ recorded: String, _ asked: String, _ isKnown: Bool
  ) {
    func request(_ query: String) -> RecordedExchange.Request {
      exchange("https://a.example/s?\(query)", for: 1).request
    }
    var schedule = ReplaySchedule([exchange("https://a.example/s?\(recorded)", for: 1)])
    #expect(schedule.claim(request(asked), for: 2) == nil)
    #expect(schedule.claim(request(asked), for: nil) == nil)
    #expect((schedule.claim(request(asked), for: 1) == 0) == isKnown)
    #expect(schedule.claim(request(asked), for: 1) == nil)
  }

  @Test(arguments: ["https://b.example/s", "https://a.example/t", "https://a.example"])
  func `A request to another address is none of an earlier version`(address: String) {
    var schedule = ReplaySchedule([exchange("https://a.example/s?q=swift", for: 1)])
    #expect(schedule.claim(exchange("\(address)?q=swift&n=20", for: 1).request, for: 1) == nil)
    #expect(
      schedule.claim(exchange("https://a.example/s?q=swift&n=20", for: 1).request, for: 1) == 0)
  }

  @Test func `The pages that an earlier version asked for are told apart`() {
    let recorded = ["f=a&q=x", "f=a&q=x", "f=a&q=x&cursor=2", "f=a&q=y", "f=a&q=x&cursor=3"]
    var schedule = ReplaySchedule(recorded.map { exchange("https://a.example/?\($0)", for: 1) })
    func claim(_ query: String) -> Int? {
      schedule.claim(exchange("https://a.example/?f=a,b&\(query)", for: 1).request, for: 1)
    }
    #expect(claim("q=x&cursor=3") == 4)
    #expect(claim("q=x") == 0)
    #expect(claim("q=x&cursor=2") == 2)
    #expect(claim("q=x") == 1)
    #expect(claim("q=x") == nil)
  }

  @Test func `A request gets the response that was recorded for its own search`() {
    let exchanges = [
      exchange("same", for: 7), exchange("same", for: 3), exchange("same", for: nil),
    ]
    var schedule = ReplaySchedule(exchanges)
    let request = exchanges[0].request
    #expect(schedule.claim(request, for: 3) == 1)
    #expect(schedule.claim(request, for: nil) == 2)
    #expect(schedule.claim(request, for: 9) == 0)
    #expect(schedule.claim(request, for: 7) == nil)
  }

  @Test func `A pause is told before the steps that came after it, and in the order of pauses`() {
    let exchanges = [
      exchange("a", for: 0, step: 3),
      pausing(exchange("late", for: 1, step: 4), number: 1, after: 3),
      pausing(exchange("first", for: 2, step: 5), number: 0, after: -1),
    ]
    var schedule = ReplaySchedule(exchanges)
    for index in [0, 1] {
      #expect(schedule.claim(exchanges[index].request, for: index) == index)
      schedule.wait(index)
    }
    #expect(schedule.due() == [])
    #expect(schedule.claim(exchanges[2].request, for: 2) == 2)
    #expect(schedule.due() == [.judge(2)])
    #expect(schedule.due() == [])
    schedule.judged()
    #expect(schedule.due() == [.deliver(0)])
    schedule.use(by: [0])
    #expect(schedule.due() == [.judge(1)])
    schedule.judged()
    #expect(schedule.due() == [.deliver(1)])
  }

  @Test func `An event happens between the steps where it happened, also after the last one`() {
    var last = exchange("b", for: 1, step: 2)
    last.events = [.patienceLost]
    var schedule = schedule(
      [exchange("a", for: 0, step: 0), last], claiming: [0, 1], lastEvents: [.timeUp])
    #expect(schedule.due() == [.deliver(0)])
    schedule.use(by: [0])
    #expect(schedule.due() == [.happen(.patienceLost)])
    #expect(schedule.due() == [])
    schedule.happened(.patienceLost)
    #expect(schedule.due() == [.deliver(1)])
    schedule.use(by: [1])
    #expect(schedule.due() == [.happen(.timeUp)])
  }

  @Test func `What came after the end is never delivered, and holds nothing back`() {
    var late = exchange("late", for: 0)
    late.isIgnored = true
    var schedule = schedule([late, exchange("b", for: 1, step: 1)], claiming: [0, 1])
    #expect(schedule.due() == [.deliver(1)])
  }
}
