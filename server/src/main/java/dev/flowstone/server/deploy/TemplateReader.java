package dev.flowstone.server.deploy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonBoolean;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.server.api.TemplateFiles;
import dev.flowstone.server.http.Fault;
import dev.flowstone.server.http.ProblemException;
import dev.flowstone.templates.DocumentTemplates;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Reads sets and document templates in files: a file with a {@code templateSetId} is a set, one with a {@code templateId} besides is a
 * template, its body in it or in a file beside it, {@code bodyFile}.
 */
public final class TemplateReader {
    static final String SET = "templateSetId";

    private static final String ID = "templateId";
    private static final String HIDES = "hides";
    private static final String BODY = "body";
    private static final String BODY_FILE = "bodyFile";
    private static final int MOST_BODY_BYTES = 1 << 20;

    private final DocumentTemplates documents;

    public TemplateReader(DocumentTemplates documents) {
        this.documents = requireNonNull(documents);
    }

    Optional<Piece> read(Path file, JsonParser.Located document, JsonObject object, List<Flaw> flaws) {
        InFile at = new InFile(file, document, flaws);
        Map<String, JsonValue> said = new LinkedHashMap<>(object.members());
        Optional<String> set = name(said, SET, at, TemplateFiles::setId);
        boolean isSet = !said.containsKey(ID);
        Optional<String> id = isSet ? Optional.empty() : name(said, ID, at, TemplateFiles::id);
        if (set.isEmpty() || (!isSet && id.isEmpty())) {
            return Optional.empty();
        }
        try {
            return isSet ? Optional.of(set(file, set.get(), said)) : template(at, set.get(), id.orElseThrow(), said);
        } catch (ProblemException e) {
            at.flaws(e);
            return Optional.empty();
        }
    }

    private static Optional<String> name(
            Map<String, JsonValue> said, String member, InFile at, UnaryOperator<String> reader) {
        try {
            String written = said.remove(member) instanceof JsonString(String text) ? text : "";
            return Optional.of(reader.apply(written));
        } catch (IllegalArgumentException e) {
            at.flaw(FolderFault.INVALID_NAME, "/" + member, String.valueOf(e.getMessage()), "give it such an id");
            return Optional.empty();
        }
    }

    private static Piece set(Path file, String name, Map<String, JsonValue> said) throws ProblemException {
        boolean hides = JsonBoolean.of(true).equals(said.remove(HIDES));
        JsonObject words = TemplateFiles.set(JsonObject.of(said));
        return new Piece.TemplateSet(file, name, words, checksum(words), hides);
    }

    private Optional<Piece> template(InFile at, String set, String id, Map<String, JsonValue> said)
            throws ProblemException {
        @Nullable JsonValue named = said.remove(BODY_FILE);
        if (named != null) {
            Optional<String> body = said.containsKey(BODY) ? at.twice() : at.beside(named);
            if (body.isEmpty()) {
                return Optional.empty();
            }
            said.put(BODY, new JsonString(body.get()));
        }
        JsonObject words = TemplateFiles.version(JsonObject.of(said), documents);
        return Optional.of(new Piece.Template(at.file(), set, id, words, checksum(words)));
    }

    static String checksum(JsonObject words) {
        return Sha256.digest(CanonicalJson.exact(words)).toString();
    }

    /** A file whose flaws are told. */
    private record InFile(Path file, JsonParser.Located document, List<Flaw> flaws) {
        void flaw(FolderFault code, String pointer, String message, String remedy) {
            JsonParser.Place place = document.place(pointer);
            flaws.add(new Flaw(file, code.at(pointer, place.line(), place.column(), message, remedy)));
        }

        void flaws(ProblemException e) {
            if (e.problem().faults().isEmpty()) {
                flaw(FolderFault.TEMPLATE_FORM, "", e.problem().detail(), "docs/templates.md says what one has");
            }
            for (Fault each : e.problem().faults()) {
                flaw(FolderFault.TEMPLATE_FORM, each.pointer(), each.message(), each.remedy());
            }
        }

        Optional<String> twice() {
            flaw(
                    FolderFault.TEMPLATE_FORM,
                    "/" + BODY_FILE,
                    "there is a body in the file, too",
                    "take one of the two away");
            return Optional.empty();
        }

        /** What a file in the same folder says; no other one is read, and no link is followed. */
        Optional<String> beside(JsonValue named) {
            String name = named instanceof JsonString(String text) ? text : "";
            if (!name.matches("[A-Za-z0-9_][A-Za-z0-9._-]{0,199}")) {
                return refused("is the name of a file in the same folder, of letters, digits, '.', '_' and '-'");
            }
            Path beside = file.resolveSibling(name);
            if (!Files.isRegularFile(beside, LinkOption.NOFOLLOW_LINKS)) {
                return refused("there is no regular file '" + name + "' beside this one");
            }
            try (InputStream in = Files.newInputStream(beside, LinkOption.NOFOLLOW_LINKS)) {
                byte[] bytes = in.readNBytes(MOST_BODY_BYTES + 1);
                return bytes.length > MOST_BODY_BYTES
                        ? refused("'" + name + "' has more bytes than a body may have")
                        : Optional.of(UTF_8.newDecoder()
                                .decode(ByteBuffer.wrap(bytes))
                                .toString());
            } catch (CharacterCodingException e) {
                return refused("'" + name + "' is no text in UTF-8");
            } catch (IOException e) {
                return refused("'" + name + "' can't be read: " + e);
            }
        }

        private Optional<String> refused(String message) {
            flaw(FolderFault.TEMPLATE_FORM, "/" + BODY_FILE, message, "put the body there, or into the file as 'body'");
            return Optional.empty();
        }
    }
}
