# searchagg in a container: docker build -t searchagg . && docker run --rm searchagg run '#swiftlang'
# Untested: no container engine was available.
FROM swift:6.2-bookworm AS build
WORKDIR /source
RUN apt-get update \
  && apt-get install --yes --no-install-recommends \
    git libcurl4-openssl-dev libsimdjson-dev libsqlite3-dev make pkg-config zlib1g-dev \
  && rm -rf /var/lib/apt/lists/*
COPY . .
RUN make build && packaging/build deb

FROM debian:bookworm-slim
COPY --from=build /source/.build/package/*.deb /tmp/
RUN apt-get update \
  && apt-get install --yes --no-install-recommends /tmp/*.deb \
  && rm -rf /tmp/*.deb /var/lib/apt/lists/* \
  && useradd --create-home --uid 10001 searchagg
USER searchagg
WORKDIR /home/searchagg
ENTRYPOINT ["searchagg"]
CMD ["--help"]
