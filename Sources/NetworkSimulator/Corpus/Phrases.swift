/// The words that posts and names are made of.
enum Phrases {
  static let givenNames = [
    "Ada", "Grace", "Linus", "Yukihiro", "Margaret", "Dennis", "Barbara", "Ken", "Radia", "Donald",
    "Frances", "Guido", "Sophie", "Anders", "Katherine", "Edsger",
  ]
  static let familyNames = [
    "Okafor", "Lindqvist", "Tanaka", "Moreau", "Silva", "Novak", "Haddad", "Byrne", "Kowalski",
    "Jensen", "Ferrari", "Nguyen", "Schmidt", "Papadakis", "Rossi", "Iyer",
  ]
  static let openings = [
    "Finally shipped it:", "Hot take on", "Today I learned about", "Is anybody else using",
    "A short thread about", "We spent the week with", "So happy with", "\"Just use\"",
    "Benchmarks & notes:", "If a < b && b > c, think of", "Don't sleep on", "Good morning 🌅 from",
    "🚀🚀 New release around", "日本語でも話しましょう:", "오늘의 주제:", "Привет! Немного о",
    "👩‍👩‍👧‍👦 Family project:", "Merhaba dünya,", "¿Alguien conoce",
  ]
  static let middles = [
    "and it just works", "after three years of production use", "— what a journey",
    "with 40 % less memory", "in the browser 🎉", "on a Raspberry Pi", "これはすごい",
    "for the rest of us", "and I can't go back", "without a single dependency", "is \"done\" now",
    "(see the linked notes)", "🤔 not sure yet", "at the café in Zürich", "since R&D said <no>",
  ]
  static let closings = [
    "Thoughts?", "More soon.", "Thank you all 💜", "Slides follow.", "#", "…", "Read on 👇🏽",
    "Feedback welcome!", "また明日", "q.e.d.", "Details in the repository.", "Ask me anything.",
  ]
  static let paths = [
    "blog/2026/a-rather-long-title-that-will-be-shortened", "notes", "releases/v2.0.1",
    "talks/index.html?lang=en&year=2026", "paper.pdf", "projects/caf%C3%A9#intro", "a/b/c",
  ]
  static let hosts = ["example.com", "www.example.org", "blog.example.net", "git.example.dev"]
  static let languages: [String?] = ["en", "en", "en", "en", "de", "ja", "es", "fr", "pt", nil]
}
