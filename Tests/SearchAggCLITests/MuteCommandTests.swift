import Application
import TestSupport
import Testing

/// `searchagg mute` and `unmute`, which change the list in the user's configuration file.
@Suite struct MuteCommandTests {
  private let world: TestWorld
  private var path: String { world.folder["home/.config/searchagg/config.json"] }

  init() throws { world = try TestWorld() }

  @Test func `The file that a variable names is the one that is changed`() async throws {
    var world = world
    try world.folder.write("{}", to: "own.json")
    world.environment["SEARCHAGG_CONFIG"] = world.folder["own.json"]
    #expect(
      await world.run("mute", "@amy").errors
        == "searchagg: muted 1 author in \(world.folder["own.json"])\n")
    #expect(await world.run("mute", "list").output == "@amy\n")
  }

  @Test func `Muted authors are kept, each once, until they are unmuted`() async throws {
    #expect(
      await world.run("mute", "@amy", "@bob@a.example").errors
        == "searchagg: muted 2 authors in \(path)\n")
    let again = await world.run("mute", "@amy")
    #expect(again.status == .nothing)
    #expect(again.errors == "searchagg: @amy: already muted in \(path); nothing changed\n")
    #expect(await world.run("mute", "list").output == "@amy\n@bob@a.example\n")

    #expect(
      await world.run("unmute", "@amy").errors == "searchagg: unmuted 1 author in \(path)\n")
    #expect(await world.run("mute", "list").output == "@bob@a.example\n")
    let gone = await world.run("unmute", "@amy")
    #expect(gone.status == .nothing)
    #expect(gone.errors == "searchagg: @amy: not muted in \(path); nothing changed\n")
  }
}
