package dev.flowstone.templates.body;

import dev.flowstone.dialect.fault.Quoted;
import dev.flowstone.expression.ScriptExpressions;
import dev.flowstone.expression.TemplateFault;
import dev.flowstone.kernel.expression.ExpressionError;
import dev.flowstone.kernel.json.JsonString;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Puts the pieces of a body together and checks every expression in it. Tags inside tags are kept on a bounded stack. */
final class BodyReader {
    /** What a loop tells of itself. */
    static final String LOOP = "forloop";

    private static final Pattern LOOP_FORM =
            Pattern.compile("([A-Za-z_][A-Za-z0-9_]{0,63})\\s++in\\s++(\\S.*)", Pattern.DOTALL);
    private static final Set<String> WORDS = Set.of("true", "false", "null", "undefined", "NaN", "Infinity", LOOP);
    static final Set<String> TAGS =
            new TreeSet<>(Set.of("if", "elsif", "else", "endif", "for", "endfor", "comment", "raw"));

    /** What to write instead of tags that Liquid has. */
    private static final Map<String, String> INSTEAD = Map.of(
            "unless", "write {% if !(…) %}",
            "case", "write {% if … === … %} and {% elsif … === … %}",
            "assign", "write the expression where its value stands",
            "capture", "write the text where it stands",
            "break", "take what is looped over from .filter(…) or .slice(…)");

    private static final int BRACES = 2;
    private static final int SHOWN = 50;

    private final String source;
    private final Set<String> names;
    private final ScriptExpressions expressions;
    private final BodyLimits limits;
    private final List<BodyFault> faults = new ArrayList<>();
    private final List<Part> parts = new ArrayList<>();
    private final Deque<Open> open = new ArrayDeque<>();

    BodyReader(String source, Set<String> names, ScriptExpressions expressions, BodyLimits limits) {
        this.source = source;
        this.names = names;
        this.expressions = expressions;
        this.limits = limits;
    }

    Body.Reading read() {
        try {
            if (source.length() > limits.sourceChars()) {
                throw fault(
                        0,
                        BodyFault.TOO_LARGE,
                        "the body has more than " + limits.sourceChars() + " characters",
                        "split the template");
            }
            for (Piece piece : new Lexer(source, expressions, limits.parts()).pieces()) {
                take(piece);
            }
            if (!open.isEmpty()) {
                Piece.Tag last = open.peek().tag();
                throw fault(
                        last.offset(),
                        BodyFault.SYNTAX,
                        "{% " + last.word() + " %} has no end",
                        "write {% end" + last.word() + " %} behind it");
            }
        } catch (BodyFaultException e) {
            faults.add(e.fault());
        }
        return faults.isEmpty() ? new Body.Reading.Read(new Body(source, parts)) : new Body.Reading.Refused(faults);
    }

    private void take(Piece piece) throws BodyFaultException {
        switch (piece) {
            case Piece.Literal(int _, String text) -> add(new Part.Text(text));
            case Piece.Hole(int _, String text, int from) -> {
                Part.Expression expression = new Part.Expression(text, from);
                check(expression, expression.text(), 1);
                add(new Part.Hole(expression));
            }
            case Piece.Tag tag -> tag(tag);
        }
    }

    private void add(Part part) {
        if (open.isEmpty()) {
            parts.add(part);
        } else {
            open.peek().add(part);
        }
    }

    private void tag(Piece.Tag tag) throws BodyFaultException {
        switch (tag.word()) {
            case "if" -> begin(new Open(tag, condition(tag), Optional.empty()));
            case "for" -> loop(tag);
            case "elsif" -> inside(tag, "if").elsif(condition(tag));
            case "else" -> {
                bare(tag);
                otherwise(tag);
            }
            case "endif" -> end(tag, "if");
            case "endfor" -> end(tag, "for");
            case "include", "render", "layout", "import" ->
                throw fault(
                        tag.offset(),
                        BodyFault.UNKNOWN_TAG,
                        "a template includes no other, and no file",
                        "write its text here");
            default ->
                throw fault(
                        tag.offset(),
                        BodyFault.UNKNOWN_TAG,
                        "there is no tag " + Quoted.text(tag.word()),
                        INSTEAD.getOrDefault(tag.word(), "there are " + String.join(", ", TAGS)));
        }
    }

    private void begin(Open tag) throws BodyFaultException {
        if (open.size() >= limits.depth()) {
            throw fault(
                    tag.tag().offset(),
                    BodyFault.TOO_LARGE,
                    "tags stand in each other more than " + limits.depth() + " deep",
                    "nest them less");
        }
        open.push(tag);
    }

    private void loop(Piece.Tag tag) throws BodyFaultException {
        Matcher form = LOOP_FORM.matcher(tag.rest());
        if (!form.matches() || isTaken(form.group(1))) {
            throw fault(
                    tag.offset(),
                    BodyFault.SYNTAX,
                    "a loop is written {% for NAME in LIST %}, with a NAME that nothing else has",
                    "write it so, as in {% for item in answers.items ?? [] %}");
        }
        Part.Expression list = new Part.Expression(form.group(2), tag.from() + form.start(2));
        check(list, list.value(), 0);
        begin(new Open(tag, list, Optional.of(form.group(1))));
    }

    private boolean isTaken(String name) {
        return WORDS.contains(name)
                || names.contains(name)
                || open.stream().anyMatch(tag -> tag.name().filter(name::equals).isPresent());
    }

    private Open inside(Piece.Tag tag, String word) throws BodyFaultException {
        Open innermost = open.peek();
        if (innermost == null || !innermost.tag().word().equals(word) || !innermost.takesElsif()) {
            throw misplaced(tag);
        }
        return innermost;
    }

    private void otherwise(Piece.Tag tag) throws BodyFaultException {
        Open innermost = open.peek();
        if (innermost == null || !innermost.takesElse()) {
            throw misplaced(tag);
        }
        innermost.otherwise();
    }

    private void end(Piece.Tag tag, String word) throws BodyFaultException {
        bare(tag);
        Open innermost = open.peek();
        if (innermost == null || !innermost.tag().word().equals(word)) {
            throw misplaced(tag);
        }
        open.pop();
        add(innermost.close());
    }

    private BodyFaultException misplaced(Piece.Tag tag) {
        String inside = open.isEmpty() ? "no tag" : "{% " + open.peek().tag().word() + " %}";
        return fault(
                tag.offset(),
                BodyFault.SYNTAX,
                "{% " + tag.word() + " %} stands in " + inside + ", where it means nothing",
                "move it, or take it out");
    }

    private void bare(Piece.Tag tag) throws BodyFaultException {
        if (!tag.rest().isEmpty()) {
            throw fault(
                    tag.offset(),
                    BodyFault.SYNTAX,
                    "{% " + tag.word() + " %} takes nothing behind its name",
                    "take it out, or write {% elsif … %}");
        }
    }

    private Part.Expression condition(Piece.Tag tag) {
        Part.Expression condition = new Part.Expression(tag.rest(), tag.from());
        Optional<ExpressionError> error = expressions.checkCondition(condition.source());
        error.ifPresentOrElse(
                it -> note(condition.offset() + Math.max(0, it.position()), it),
                () -> known(
                        condition,
                        expressions.conditionReferences(condition.source()).roots()));
        return condition;
    }

    /**
     * In the form that is rendered, so that it is compiled once.
     *
     * @param before what stands in the template before the expression's braces
     */
    private void check(Part.Expression expression, JsonString template, int before) throws BodyFaultException {
        int braces = template.value().length() - BRACES;
        if (expressions.closingBraces(template.value(), before + BRACES) != braces) {
            throw fault(
                    expression.offset(),
                    BodyFault.SYNTAX,
                    Quoted.text(expression.source().strip()) + " is no expression",
                    "write one expression, without braces around it");
        }
        List<TemplateFault> found = expressions.checkTemplate(template);
        if (found.isEmpty()) {
            known(expression, expressions.templateReferences(template).roots());
        } else {
            ExpressionError error = found.getFirst().error();
            note(expression.placeOf(error.position() - before), error);
        }
    }

    private void note(int offset, ExpressionError error) {
        note(offset, error.code(), error.message(), "repair the expression");
    }

    private void note(int offset, String code, String message, String remedy) {
        if (faults.size() < SHOWN) {
            faults.add(BodyFault.at(source, offset, code, message, remedy));
        }
    }

    private void known(Part.Expression expression, Set<String> roots) {
        Set<String> there = new TreeSet<>(names);
        for (Open tag : open) {
            tag.name().ifPresent(name -> {
                there.add(name);
                there.add(LOOP);
            });
        }
        Set<String> unknown = new HashSet<>(roots);
        unknown.removeAll(there);
        for (String name : new TreeSet<>(unknown)) {
            note(
                    expression.offset(),
                    "UNKNOWN_NAME",
                    "there is no " + Quoted.text(name) + " here",
                    "begin with " + String.join(", ", there));
        }
    }

    private BodyFaultException fault(int offset, String code, String message, String remedy) {
        return new BodyFaultException(BodyFault.at(source, offset, code, Quoted.cut(message, 300), remedy));
    }
}
