extension HelpTopic {
  static let shardsText = """
    One machine is enough for most uses. For thousands of feeds or servers, run parts of the plan on several machines and join their outputs:

      searchagg run --shard 1/3 --format ndjson -o 1.ndjson
      searchagg run --shard 2/3 --format ndjson -o 2.ndjson
      searchagg run --shard 3/3 --format ndjson -o 3.ndjson
      searchagg merge 1.ndjson 2.ndjson 3.ndjson

    All parts take the same tags and options. What merge prints, and its exit status, are those of one run; it takes the options for output, such as --format and -n. A part that is missing or cut off is named, and the status is then 2. To join copies, give --dedupe link to merge. text, plain, json, ndjson, csv and tsv are printed while the parts are read, so that parts of any size merge in little memory. Other formats, --sort, --count-by and --dedupe link hold all posts at once, about 1 KB each.

    Adding machines does not raise a network's limits. A source on a server belongs to one part as a whole, so that its pace and its cost hold without any coordination: ten parts ask a single server no faster than one. The part follows from the name alone, such as mastodon https://mastodon.social: the first eight bytes of its SHA-256, as a big-endian number, modulo the number of parts, plus 1.

      searchagg run --shard 1/3 --dry-run > /dev/null    how much each part has to do

    An empty part says so and ends with 0. Files for GitHub Actions, Kubernetes and Slurm are in docs/shards of the repository.
    """
}
