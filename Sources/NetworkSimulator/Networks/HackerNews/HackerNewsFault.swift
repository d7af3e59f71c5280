/// A parameter that Algolia refuses, in its words.
struct HackerNewsFault: Error {
  let message: String
}
