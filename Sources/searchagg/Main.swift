import SearchAggCLI

@main
enum Main {
  static func main() async { await runSearchAgg() }
}
