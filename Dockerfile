# The tag is the version in .bun-version.
FROM oven/bun:1.4.5 AS build
WORKDIR /wakeful
COPY package.json bun.lock bunfig.toml ./
RUN bun install --frozen-lockfile
COPY . .
ARG TARGETARCH
RUN bun scripts/release.ts --only "wakeful-linux-$TARGETARCH"

# scripts/image replaces this stage by the folder of a release, which then needs no build.
FROM scratch AS executables
COPY --from=build /wakeful/dist/release /

# The program that ping monitors run, with its libraries besides libc. Its capability is not required (without "e"), so
# that it also starts in containers that lack it: there it needs net.ipv4.ping_group_range, which Docker opens.
FROM debian:12-slim AS ping
RUN apt-get update && apt-get install --yes --no-install-recommends iputils-ping libcap2-bin
# The image has no shell to make the data directory with: it comes along with its owner.
RUN mkdir -p /data /image/usr/bin && cp "$(command -v ping)" /image/usr/bin/ && setcap cap_net_raw+p /image/usr/bin/ping && \
  ldd /image/usr/bin/ping | sed -nE 's,.* => (/[^ ]*/lib(cap|idn2|unistring)\.so[^ ]*) .*,\1,p' | while read -r library; do \
    install -D --mode=644 "$library" "/image/usr/lib/${library#*/lib/}" || exit; \
  done

FROM gcr.io/distroless/base-debian12:nonroot
ARG TARGETARCH
COPY --from=ping /image /
COPY --from=executables --chmod=755 /wakeful-linux-$TARGETARCH /usr/local/bin/wakeful
COPY --from=ping --chown=nonroot:nonroot /data /data
ENV DATA_DIR=/data
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=6s --start-period=10s CMD ["/usr/local/bin/wakeful", "healthcheck"]
ENTRYPOINT ["/usr/local/bin/wakeful"]
