extension RunBatch {
  /// The part of the batch that costs next to nothing, for a run that a signal ends: marks, memories,
  /// the outbox and the run's record, and no posts.
  ///
  /// What needs the posts is left out, too: `--retry-failed` asks the searches again that found some,
  /// and `--offline` answers from an earlier run.
  package var withoutBodies: RunBatch {
    var batch = self
    batch.keepsPosts = false
    batch.prunesBefore = nil
    var withPosts: Set<SearchKey> = []
    for index in findings.indices {
      if !findings[index].posts.isEmpty { withPosts.insert(findings[index].search) }
      batch.findings[index].posts.removeAll { !printed.contains(PostIdentity($0)) }
      batch.findings[index].isAnswered = false
      batch.findings[index].window = nil
    }
    batch.run?.parts = (run?.parts ?? []).map { part in
      var part = part
      if withPosts.contains(part.search) { part.answer = nil }
      return part
    }
    return batch
  }
}
