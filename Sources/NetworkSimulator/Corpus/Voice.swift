/// The phrases of one language, of which titles and texts are made.
struct Voice: Sendable {
  /// A title, before and after the words of the query.
  typealias Title = (before: String, after: String)

  /// The language as networks report it; nil where they do not know it.
  let language: String?
  private let openings: [String]
  private let replies: [String]
  private let middles: [String]
  private let closings: [String]
  private let titles: [Title]

  /// The languages of posts, as often as they occur.
  static let languages: [String?] =
    Array(repeating: "en", count: 8) + ["de", "ja", "es", "fr", "pt", nil]

  /// Returns a voice for a language; without one, any of those that networks fail to recognize.
  init(_ language: String?, numbers: inout SplitMix64) {
    self = language.flatMap { Self.known[$0] } ?? numbers.pick(Self.unrecognized)
  }

  private init(
    _ language: String?, openings: [String], replies: [String], middles: [String],
    closings: [String], titles: [Title]
  ) {
    self.language = language
    self.openings = openings
    self.replies = replies
    self.middles = middles
    self.closings = closings
    self.titles = titles
  }

  func title(on subject: [TextPiece], numbers: inout SplitMix64) -> [TextPiece] {
    let title = numbers.pick(titles)
    return [.words(title.before + " ")] + subject + [.words(title.after)]
  }

  /// - Parameter person: The author who is answered.
  func text(
    on subject: [TextPiece], to person: CorpusAuthor?, numbers: inout SplitMix64
  ) -> [TextPiece] {
    var pieces: [TextPiece] = []
    if let person { pieces += [.mention(person), .words(" ")] }
    pieces.append(.words(numbers.pick(person == nil ? openings : replies) + " "))
    pieces += subject
    pieces.append(.words(numbers.pick(middles)))
    if numbers.chance(20) {
      pieces += [.lineBreak, .lineBreak]
    } else {
      pieces.append(.words(" "))
    }
    if numbers.chance(45) {
      let address = "https://\(numbers.pick(Self.hosts))/\(numbers.pick(Self.paths))"
      pieces += [.link(address), .words(" ")]
    }
    pieces.append(.words(numbers.pick(closings)))
    return pieces
  }

  private static let paths = [
    "blog/2026/a-rather-long-title-that-will-be-shortened", "notes", "releases/v2.0.1",
    "talks/index.html?lang=en&year=2026", "paper.pdf", "projects/caf%C3%A9#intro", "a/b/c",
  ]
  private static let hosts = [
    "example.com", "www.example.org", "blog.example.net", "git.example.dev",
  ]

  // Texts with signs that some network escapes or counts in a way of its own are on purpose.
  private static let english = Voice(
    "en",
    openings: [
      "Finally shipped it:", "Hot take on", "Today I learned about", "Is anybody else using",
      "A short thread about", "We spent the week with", "So happy with", "\"Just use\"",
      "Benchmarks & notes:", "If a < b && b > c, think of", "Don't sleep on", "Good morning 🌅 from",
      "🚀🚀 New release around", "👩‍👩‍👧‍👦 Family project:", "Three things I got wrong about",
      "Our team moved to", "Slides from tonight's talk on", "Small win with",
    ],
    replies: [
      "Agreed, and", "Same here:", "Not so sure;", "Thanks! I had not thought of", "Have you tried",
      "We had that bug, too;", "+1 for", "Source? My tests with",
    ],
    middles: [
      "and it just works.", "after three years of production use.", "— what a journey.",
      "with 40 % less memory.", "in the browser 🎉", "on a Raspberry Pi.", "for the rest of us.",
      "and I can't go back.", "without a single dependency.", "is \"done\" now.",
      "(see the linked notes).", "🤔 not sure yet.", "at the café in Zürich.",
      "since R&D said <no>.",
    ],
    closings: [
      "Thoughts?", "More soon.", "Thank you all 💜", "Slides follow.", "C# people welcome, too.",
      "…", "Read on 👇🏽", "Feedback welcome!", "q.e.d.", "Details in the repository.",
      "Ask me anything.",
    ],
    titles: [
      ("What we learned from", "in production"), ("A year with", "— an honest report"),
      ("Show and tell:", "on an old laptop"), ("Is", "ready for \"real\" work?"),
      ("Notes on", "& its first release"), ("Why", "took us so long"),
      ("Getting started with", "in an afternoon"), ("Ask: how do you test", "code?"),
      ("The <unofficial> guide to", ""),
    ])

  private static let known: [String: Voice] = [
    "en": english,
    "de": Voice(
      "de",
      openings: [
        "Endlich fertig:", "Kurze Frage zu", "Heute gelernt:", "Ein ruhiges Wochenende mit",
        "Wer benutzt noch",
      ],
      replies: ["Sehe ich auch so:", "Danke! Bei uns läuft", "Geht das auch mit"],
      middles: [
        "und es läuft einfach.", "ganz ohne Abhängigkeiten.", "nach drei Jahren im Einsatz.",
        "im Café in Zürich.", "für große Datenmengen.",
      ],
      closings: ["Meinungen?", "Mehr dazu bald.", "Danke euch 💜", "Rückfragen gern!"],
      titles: [("Ein Jahr mit", ""), ("Was wir aus", "gelernt haben"), ("Einstieg in", "für alle")]
    ),
    "ja": Voice(
      "ja",
      openings: ["日本語でも話しましょう:", "今日のメモ:", "週末に試した", "速報です!"],
      replies: ["同感です。", "ありがとうございます!", "うちでは"],
      middles: ["これはすごい。", "思ったより簡単でした。", "とても速いです。", "ＡＢＣから始めました。"],
      closings: ["また明日", "詳しくはリンクで。", "感想ください!"],
      titles: [("", "を本番で一年使った話"), ("はじめての", ""), ("", "入門 ①")]),
    "es": Voice(
      "es",
      openings: ["¿Alguien conoce", "Hoy aprendí algo de", "Por fin:", "Un hilo sobre"],
      replies: ["Totalmente de acuerdo,", "¡Gracias! Probaré", "¿Y qué tal"],
      middles: ["y funciona a la primera.", "sin dependencias.", "en mi vieja computadora."],
      closings: ["¿Qué opinan?", "Mañana más.", "¡Gracias a todos!"],
      titles: [("Un año con", ""), ("Cómo empezar con", "en una tarde")]),
    "fr": Voice(
      "fr",
      openings: [
        "Quelqu’un utilise", "Enfin publié :", "Petit retour sur", "Aujourd’hui, j’ai appris",
      ],
      replies: ["Tout à fait d’accord :", "Merci ! Et avec", "Chez nous,"],
      middles: ["et ça marche déjà.", "sans aucune dépendance.", "au café, à l’ombre."],
      closings: ["Vos avis ?", "La suite bientôt.", "Merci à vous 💜"],
      titles: [("Un an avec", ": le bilan"), ("Débuter avec", "")]),
    "pt": Voice(
      "pt",
      openings: ["Alguém aqui usa", "Hoje aprendi sobre", "Finalmente:", "Uma semana com"],
      replies: ["Concordo,", "Obrigada! Vou testar", "E com"],
      middles: ["e já não volto atrás.", "sem dependências.", "em produção há três anos."],
      closings: ["Opiniões?", "Amanhã conto mais.", "Obrigado a todos!"],
      titles: [("Um ano com", ""), ("O que aprendemos com", "")]),
  ]

  private static let unrecognized = [
    Voice(
      nil, openings: ["오늘의 주제:", "드디어 공개합니다:"], replies: ["동감합니다.", "저희는"],
      middles: ["정말 빠릅니다.", "3년째 쓰고 있습니다."], closings: ["의견 주세요!", "내일 또 봐요"],
      titles: [("", "1년 사용기"), ("오늘의", "")]),
    Voice(
      nil, openings: ["Привет! Немного о", "Наконец-то готово:"],
      replies: ["Согласна,", "Спасибо! А"], middles: ["и всё работает.", "без зависимостей."],
      closings: ["Что думаете?", "Продолжение завтра."],
      titles: [("Год с", "— итоги"), ("Заметки о", "")]),
    Voice(
      nil, openings: ["Merhaba dünya,", "Bugün öğrendim:"],
      replies: ["Katılıyorum,", "Teşekkürler!"],
      middles: ["ve gerçekten çalışıyor.", "hiç bağımlılık olmadan."],
      closings: ["Ne dersiniz?", "Devamı yarın."], titles: [("Bir yıldır", "ile"), ("Neden", "?")]),
  ]
}
