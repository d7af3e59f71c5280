import SearchAggCLI

@main
enum Main {
  static func main() async {
    prepareSearchAgg()
    await runSearchAgg()
  }
}
