import NetworkSimulator

@main
enum Main {
  static func main() {}
}
