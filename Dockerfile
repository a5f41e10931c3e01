# The tag is the version in .bun-version.
FROM oven/bun:1.4.5 AS build
WORKDIR /wakeful
COPY package.json bun.lock bunfig.toml ./
RUN bun install --frozen-lockfile
COPY . .
RUN bun scripts/build.ts && mkdir /data

FROM gcr.io/distroless/base-debian12:nonroot
COPY --from=build /wakeful/dist/wakeful /usr/local/bin/wakeful
# There is no shell here to make the folder with: it comes along with its owner.
COPY --from=build --chown=nonroot:nonroot /data /data
ENV DATA_DIR=/data
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=6s --start-period=10s CMD ["/usr/local/bin/wakeful", "healthcheck"]
ENTRYPOINT ["/usr/local/bin/wakeful"]
