import Glibc

/// One connection of the HTTP/2 server (RFC 9113): its thread reads, and each request is answered on
/// a thread of its own.
final class HTTP2Connection: Sendable {
  private let wire: Wire
  private let number: Int
  private let seen: Watched<HTTP2Server.Record>
  private let acknowledges: Bool
  private let script: HTTP2Server.Script
  private let windows = HTTP2Windows()
  private let settled = Gate()

  init(
    _ wire: Wire, number: Int, seen: Watched<HTTP2Server.Record>, acknowledges: Bool,
    script: @escaping HTTP2Server.Script
  ) {
    self.wire = wire
    self.number = number
    self.seen = seen
    self.acknowledges = acknowledges
    self.script = script
  }

  func run(settings: [(UInt16, UInt32)]) {
    let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
    guard wire.read(preface.count) == preface else { return }
    let values = settings.flatMap { name, value in
      [UInt8(name >> 8), UInt8(name & 255)] + HTTP2Frame.bytes(value)
    }
    wire.write(HTTP2Frame(.settings, values).bytes)
    var bodies: [UInt32: [UInt8]] = [:]
    while let frame = HTTP2Frame(from: wire) {
      switch HTTP2Frame.Kind(rawValue: frame.kind) {
      case .headers:
        windows.open(frame.stream)
        bodies[frame.stream] = []
      case .data:
        bodies[frame.stream]? += frame.payload
        if acknowledges { acknowledge(frame) }
      case .settings where frame.flags & HTTP2Frame.acknowledged == 0:
        take(settings: frame.payload)
      case .ping where frame.flags & HTTP2Frame.acknowledged == 0:
        wire.write(HTTP2Frame(.ping, flags: HTTP2Frame.acknowledged, frame.payload).bytes)
      case .windowUpdate:
        windows.widen(frame.stream, by: Int(HTTP2Frame.number(frame.payload[0..<4])))
      case .reset:
        let isAsked = bodies.removeValue(forKey: frame.stream) == nil
        if windows.close(frame.stream) {
          seen.change { record in
            record.resets += 1
            if isAsked { record.closeStream(on: number) }
          }
        }
      case .ping: settled.open(1)
      case .priority, .settings, .pushPromise, .goAway, .continuation, nil: break
      }
      let isRequest = frame.kind == HTTP2Frame.Kind.headers.rawValue || frame.kind == 0
      if isRequest, frame.flags & HTTP2Frame.endStream != 0,
        let body = bodies.removeValue(forKey: frame.stream)
      {
        answer(frame.stream, body)
      }
    }
    windows.end()
    settled.open()
  }

  private func take(settings: [UInt8]) {
    for start in stride(from: 0, to: settings.count - 5, by: 6) where settings[start + 1] == 4 {
      windows.setInitial(Int(HTTP2Frame.number(settings[(start + 2)...(start + 5)])))
    }
    wire.write(HTTP2Frame(.settings, flags: HTTP2Frame.acknowledged).bytes)
  }

  /// Lets the client send as much again.
  private func acknowledge(_ frame: HTTP2Frame) {
    guard !frame.payload.isEmpty else { return }
    let count = HTTP2Frame.bytes(UInt32(frame.payload.count))
    wire.write(HTTP2Frame(.windowUpdate, count).bytes)
    if frame.flags & HTTP2Frame.endStream == 0 {
      wire.write(HTTP2Frame(.windowUpdate, stream: frame.stream, count).bytes)
    }
  }

  private func answer(_ stream: UInt32, _ body: [UInt8]) {
    let request = seen.change { [number] record in
      let request = HTTP2Request(
        number: record.requests.count + 1, stream: stream, connection: number, body: body)
      record.requests.append(request)
      record.openStream(on: number)
      return request
    }
    Listener.thread { [self] in
      for step in script(request) {
        guard perform(step, stream) else { break }
      }
    }
  }

  /// Does one step; false when nobody wants the next one.
  private func perform(_ step: HTTP2Step, _ stream: UInt32) -> Bool {
    switch step {
    case .head(let fields, let ends):
      if ends { end(stream) }
      let flags = HTTP2Frame.endHeaders | (ends ? HTTP2Frame.endStream : 0)
      return send(.headers, flags: flags, stream, HTTP2Frame.block(fields))
    case .burst(let fields, let body):
      guard windows.take(stream, upTo: body.count) == body.count else { return false }
      end(stream)
      let head = HTTP2Frame(
        .headers, flags: HTTP2Frame.endHeaders, stream: stream, HTTP2Frame.block(fields))
      let data = HTTP2Frame(.data, flags: HTTP2Frame.endStream, stream: stream, body)
      return wire.write(head.bytes + data.bytes)
    case .data(let bytes, let ends):
      return send(bytes, ends: ends, stream)
    case .trickle:
      while send([120], ends: false, stream) { usleep(1_000) }
      return false
    case .headerFlood:
      return flood(stream)
    case .frame(let kind, let flags, let isOfStream, let payload):
      return send(kind, flags: flags, isOfStream ? stream : 0, payload)
    case .settle:
      guard send(.ping, 0, [UInt8](repeating: 7, count: 8)) else { return false }
      settled.pass()
      return true
    case .resetStream(let code):
      end(stream)
      return send(.reset, stream, HTTP2Frame.bytes(code))
    case .goAway(let last, let code):
      return send(.goAway, 0, HTTP2Frame.bytes(last) + HTTP2Frame.bytes(code))
    case .close:
      wire.end()
      return false
    case .abort:
      wire.reset()
      return false
    case .pass(let gate):
      gate.pass()
      return windows.isOpen(stream)
    }
  }

  private func send(_ bytes: [UInt8], ends: Bool, _ stream: UInt32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      guard let count = windows.take(stream, upTo: min(rest.count, 16_384)) else { return false }
      let isLast = ends && count == rest.count
      if isLast { end(stream) }
      let flags = isLast ? HTTP2Frame.endStream : 0
      guard send(.data, flags: flags, stream, Array(rest.prefix(count))) else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  private func flood(_ stream: UInt32) -> Bool {
    let fields = (0..<40).map { ("x-flood-\($0)", String(repeating: "f", count: 80)) }
    let block = HTTP2Frame.block(fields)
    let status = HTTP2Frame.block([(":status", "200")])
    guard send(.headers, stream, status + block) else { return false }
    while send(.continuation, stream, block) {}
    return false
  }

  /// Counts the stream as answered, before its last frame leaves.
  private func end(_ stream: UInt32) {
    if windows.close(stream) { seen.change { $0.closeStream(on: number) } }
  }

  private func send(
    _ kind: HTTP2Frame.Kind, flags: UInt8 = 0, _ stream: UInt32, _ payload: [UInt8]
  ) -> Bool {
    wire.write(HTTP2Frame(kind, flags: flags, stream: stream, payload).bytes)
  }
}
