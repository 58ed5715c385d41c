package dev.flowstone.server.deploy;

import static java.util.Objects.requireNonNull;

import dev.flowstone.dialect.fault.Fault;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonLimits;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonSyntaxException;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.server.definition.Checked;
import dev.flowstone.server.definition.Dialects;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Reads all files of a folder and finds all that is wrong with them, without a server. What a file is, its content tells: an
 * object with a {@code triggerType} is a trigger, one with a {@code templateSetId} a set or a document template, one with a
 * {@code kind} and no {@code id} is a policy, which is left alone, and everything else is a definition.
 */
public final class FolderReader {
    private final Dialects definitions;
    private final TriggerReader triggers;
    private final TemplateReader templates;
    private final int mostBytes;

    /** @param mostBytes of one file */
    public FolderReader(Dialects definitions, TriggerReader triggers, TemplateReader templates, int mostBytes) {
        this.definitions = requireNonNull(definitions);
        this.triggers = requireNonNull(triggers);
        this.templates = requireNonNull(templates);
        this.mostBytes = mostBytes;
    }

    /**
     * Reads a folder.
     *
     * @param reserved the workflow's id that this deployment itself takes
     * @throws IOException if there is no such folder
     */
    public Contents read(Path folder, String reserved) throws IOException {
        Folder files = Folder.read(folder, mostBytes);
        List<Flaw> flaws = new ArrayList<>(files.flaws());
        List<Piece> pieces = new ArrayList<>();
        files.files().forEach((file, source) -> read(file, source, flaws).ifPresent(pieces::add));
        if (pieces.isEmpty() && flaws.stream().noneMatch(Flaw::isError)) {
            flaws.add(new Flaw(
                    folder,
                    FolderFault.NO_DEFINITIONS.ofAll(
                            "there is nothing to deploy in this folder: no *.json with a definition, a trigger or a template",
                            "name the folder that has them")));
        }
        unique(pieces, flaws);
        pieces.stream()
                .filter(piece -> piece instanceof Piece.Workflow && piece.name().equals(reserved))
                .forEach(piece -> flaws.add(new Flaw(
                        piece.file(),
                        FolderFault.RESERVED_NAME.at(
                                "/id",
                                1,
                                1,
                                "under the id '" + reserved + "' the server keeps what this deployment has made",
                                "give the workflow another id, or the deployment another --name"))));
        Order order = new Order(of(pieces, Piece.Workflow.class));
        List<Piece> ordered = new ArrayList<>(of(pieces, Piece.TemplateSet.class));
        ordered.addAll(of(pieces, Piece.Template.class));
        ordered.addAll(order.order());
        ordered.addAll(of(pieces, Piece.Trigger.class));
        return new Contents(ordered, flaws, order.circles());
    }

    private static <T extends Piece> List<T> of(List<Piece> pieces, Class<T> kind) {
        return pieces.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    private Optional<Piece> read(Path file, byte[] source, List<Flaw> flaws) {
        JsonParser.Located document;
        try {
            document = JsonParser.parseLocated(source, JsonLimits.DEFAULT);
        } catch (JsonSyntaxException e) {
            flaws.add(new Flaw(
                    file,
                    FolderFault.MALFORMED_JSON.at(
                            "", e.line(), e.column(), e.reason(), "repair it; a file is one JSON object in UTF-8")));
            return Optional.empty();
        }
        if (document.value() instanceof JsonObject object) {
            if (object.get("triggerType") != null) {
                return triggers.read(file, document, object, flaws);
            }
            if (object.get(TemplateReader.SET) != null) {
                return templates.read(file, document, object, flaws);
            }
            if (object.get("kind") != null && object.get("id") == null) {
                flaws.add(new Flaw(
                        file,
                        FolderFault.NOT_DEPLOYED.at(
                                "/kind",
                                document.namePlace("/kind").line(),
                                document.namePlace("/kind").column(),
                                "this is a policy, and policies are not deployed",
                                "publish it by PUT /api/v1/policies/NAME")));
                return Optional.empty();
            }
        }
        return workflow(file, source, document, flaws);
    }

    private Optional<Piece> workflow(Path file, byte[] source, JsonParser.Located document, List<Flaw> flaws) {
        Checked checked = definitions.check(source);
        for (Fault fault : checked.faults()) {
            flaws.add(new Flaw(file, fault));
        }
        if (checked.program().isEmpty() || !(document.value() instanceof JsonObject definition)) {
            return Optional.empty();
        }
        Program program = checked.program().get();
        return Optional.of(new Piece.Workflow(
                file,
                program.workflow().value(),
                definition,
                Sha256.digest(CanonicalJson.exact(definition)),
                calls(program)));
    }

    private static Set<String> calls(Program program) {
        return program.nodes().stream()
                .filter(Node.Call.class::isInstance)
                .map(node -> ((Node.Call) node).workflow().value())
                .collect(Collectors.toSet());
    }

    /** Of two with one name both are told. */
    private static void unique(List<Piece> pieces, List<Flaw> flaws) {
        Map<String, Piece> first = new HashMap<>();
        for (Piece piece : pieces) {
            Piece other = first.putIfAbsent(piece.kind() + " " + piece.name(), piece);
            if (other != null) {
                flaws.add(duplicate(piece, other));
                flaws.add(duplicate(other, piece));
            }
        }
    }

    private static Flaw duplicate(Piece piece, Piece other) {
        return new Flaw(
                piece.file(),
                FolderFault.DUPLICATE_NAME.at(
                        switch (piece.kind()) {
                            case WORKFLOW -> "/id";
                            case TRIGGER -> "/name";
                            case SET, TEMPLATE -> "/" + TemplateReader.SET;
                        },
                        1,
                        1,
                        other.file() + " has " + piece.kind().word() + " '" + piece.name() + "', too",
                        "rename one of the two, or take it away"));
    }
}
