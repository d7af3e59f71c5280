# Homebrew formula for Linux; untested, since no tap exists yet. Each release fills in `url` and `sha256`.
class Searchagg < Formula
  desc "Search many social networks at once, newest posts first"
  homepage "https://github.com/searchagg/searchagg"
  url "https://github.com/searchagg/searchagg/archive/refs/tags/v0.1.0.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "MIT"

  depends_on "pkgconf" => :build
  depends_on "swift" => :build
  depends_on "curl"
  depends_on :linux
  depends_on "simdjson"
  depends_on "sqlite"
  depends_on "zlib"

  def install
    system "swift", "build", "-c", "release", "--static-swift-stdlib", "--disable-local-rpath",
      "--disable-sandbox"
    system "make", "install", "PREFIX=#{prefix}"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/searchagg --version")
    assert_match "GET https://", shell_output("#{bin}/searchagg run swift --dry-run 2>&1")
  end
end
