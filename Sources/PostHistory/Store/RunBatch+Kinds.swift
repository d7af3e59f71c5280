extension RunBatch {
  /// True for the batch of a run that no later one has to know of before somebody reads the history.
  var isPlain: Bool {
    printed.isEmpty && outbox.isEmpty
      && findings.allSatisfy { finding in
        finding.memory == nil && finding.window == nil && finding.known.isEmpty
          && finding.skimmed.isEmpty && (keepsPosts || finding.posts.isEmpty)
      }
  }

  /// The part of the batch that costs next to nothing, for a run that a signal ends: marks, memories,
  /// the outbox and the run's record, and no posts.
  ///
  /// What needs the posts is left out, too: `--retry-failed` asks the searches again that found some,
  /// and `--offline` answers from an earlier run.
  package var withoutBodies: RunBatch {
    var batch = self
    batch.keepsPosts = false
    batch.prunesBefore = nil
    // A tag of which nothing had arrived was not seen.
    batch.sightings.removeAll { $0.posts == 0 }
    var withPosts: Set<SearchKey> = []
    for index in findings.indices {
      if !findings[index].posts.isEmpty { withPosts.insert(findings[index].search) }
      batch.findings[index].posts.removeAll { !printed.contains(PostIdentity($0)) }
      batch.findings[index].isAnswered = false
      batch.findings[index].window = nil
    }
    batch.run?.parts.removeAll { withPosts.contains($0.search) }
    return batch
  }
}
