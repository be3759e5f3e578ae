/** The programs that do one thing or another by their first word, so that a rule has to name it. */

/** Programs whose first word says what they do. */
export const needsSubcommand = new Set(
  "git npm pnpm yarn npx cargo go pip pip3 uv poetry pipenv pdm hatch rye conda mamba gh curl wget dotnet bundle rake mix gradle mvn composer rustup lerna nx turbo rush mise rtx opam stack cabal dune rebar3 zig nim dart flutter just task invoke inv fab tox nox sbt lein clj clojure ant scons ninja meson pre-commit rails flask django-admin celery alembic coverage jekyll hugo mkdocs buf knex prisma sequelize typeorm storybook cypress electron".split(
    " ",
  ),
);
