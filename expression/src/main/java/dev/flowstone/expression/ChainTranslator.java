package dev.flowstone.expression;

import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonString;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.mozilla.javascript.ast.AstNode;
import org.mozilla.javascript.ast.ElementGet;
import org.mozilla.javascript.ast.FunctionCall;
import org.mozilla.javascript.ast.Name;
import org.mozilla.javascript.ast.NewExpression;
import org.mozilla.javascript.ast.PropertyGet;
import org.mozilla.javascript.ast.RegExpLiteral;

/** Member accesses and calls, from the parser's nesting to one {@link Chain}. */
final class ChainTranslator {
    private static final BigDecimal LARGEST_INDEX = BigDecimal.valueOf(Integer.MAX_VALUE);
    private static final Map<String, Iteration> ITERATIONS = iterations();

    private final Translator translator;
    private final int depth;

    ChainTranslator(Translator translator, int depth) {
        this.translator = translator;
        this.depth = depth;
    }

    Node chain(AstNode outermost) {
        List<AstNode> parts = new ArrayList<>();
        AstNode base = outermost;
        @Nullable Node function = null;
        while (function == null && isLink(base)) {
            if (base instanceof FunctionCall call) {
                function = namedFunction(call);
                if (function != null) {
                    break;
                }
                parts.add(call);
                base = method(call).getTarget();
            } else {
                parts.add(base);
                base = base instanceof PropertyGet member ? member.getTarget() : ((ElementGet) base).getTarget();
            }
        }
        Node first = function != null ? function : translator.node(base, depth + 1);
        Collections.reverse(parts);
        List<Link> links = new ArrayList<>();
        for (AstNode part : parts) {
            links.add(link(part));
        }
        return translator.chained(first, links);
    }

    private static boolean isLink(AstNode node) {
        return node instanceof PropertyGet
                || node instanceof ElementGet
                || (node instanceof FunctionCall && !(node instanceof NewExpression));
    }

    private Link link(AstNode node) {
        return switch (node) {
            case PropertyGet member ->
                new Link.Named(
                        member.getProperty().getIdentifier(),
                        isOptionalAfter(member.getTarget()),
                        translator.position(member.getProperty()));
            case ElementGet element -> element(element);
            case FunctionCall call -> call(call);
            default -> throw translator.refused(node);
        };
    }

    private Link element(ElementGet element) {
        boolean optional = isOptionalAfter(element.getTarget());
        int position = translator.position(element.getElement());
        Node key = translator.node(element.getElement(), depth + 1);
        if (key instanceof Literal literal && literal.value() instanceof JsonString name) {
            return new Link.Named(name.value(), optional, position);
        }
        if (key instanceof Literal literal && literal.value() instanceof JsonNumber number && isIndex(number)) {
            return new Link.Indexed(number.decimalValue().intValue(), optional, position);
        }
        return new Link.Computed(key, optional, position);
    }

    private static boolean isIndex(JsonNumber number) {
        BigDecimal decimal = number.decimalValue();
        return decimal.signum() >= 0 && decimal.scale() == 0 && decimal.compareTo(LARGEST_INDEX) <= 0;
    }

    private PropertyGet method(FunctionCall call) {
        if (call.getTarget() instanceof PropertyGet member) {
            return member;
        }
        throw Fault.forbidden(
                "Only methods and functions of the list can be called, by their names.", translator.position(call));
    }

    private Link call(FunctionCall call) {
        PropertyGet member = method(call);
        String name = member.getProperty().getIdentifier();
        boolean optional = isOptionalAfter(member.getTarget());
        int position = translator.position(member.getProperty());
        if (isOptionalAfter(member)) {
            throw Fault.forbidden("A method is never missing: write ?. before its name.", position);
        }
        List<AstNode> arguments = call.getArguments();
        @Nullable Iteration iteration = ITERATIONS.get(name);
        if (iteration != null) {
            if (arguments.size() != 1) {
                throw Fault.forbidden(Fault.quote(name) + " takes one arrow function.", position);
            }
            return new Link.Iterated(
                    iteration, translator.arrow(arguments.getFirst(), name, depth + 1), optional, position);
        }
        if (name.equals("match")) {
            if (arguments.size() == 1 && arguments.getFirst() instanceof RegExpLiteral regex) {
                return new Link.Matched(regex(regex), optional, position);
            }
            throw Fault.forbidden("'match' takes one regular expression, written as /…/.", position);
        }
        @Nullable Methods methods = Methods.named(name);
        if (methods == null) {
            throw Fault.forbidden("There is no method " + Fault.quote(name) + ".", position);
        }
        return new Link.Called(
                methods, arguments(arguments, methods.mostArguments(), name, position), optional, position);
    }

    private List<Node> arguments(List<AstNode> arguments, int most, String name, int position) {
        if (arguments.size() > most) {
            throw Fault.forbidden(Fault.quote(name) + " takes " + most + " arguments at most.", position);
        }
        return arguments.stream()
                .map(argument -> translator.node(argument, depth + 1))
                .toList();
    }

    /** The node of a call such as {@code Math.max(…)}, {@code Number(…)} or {@code /…/.test(…)}; null for a method's. */
    private @Nullable Node namedFunction(FunctionCall call) {
        int position = translator.position(call);
        AstNode target = call.getTarget();
        if (target instanceof PropertyGet member && member.getTarget() instanceof RegExpLiteral regex) {
            if (!member.getProperty().getIdentifier().equals("test")) {
                throw Fault.forbidden("A regular expression has the method 'test' only.", position);
            }
            return new RegexTest(regex(regex), arguments(call, 1, "test").getFirst(), position);
        }
        @Nullable String name = functionName(target);
        if (name == null) {
            return null;
        }
        Functions.@Nullable Function function = Functions.named(name);
        if (function == null || isOptionalAfter(target)) {
            throw new Fault(Fault.Code.UNKNOWN_NAME, "There is no function " + Fault.quote(name) + ".", position);
        }
        return new FunctionCallNode(
                function, arguments(call.getArguments(), function.most(), name, position), position);
    }

    private List<Node> arguments(FunctionCall call, int exactly, String name) {
        if (call.getArguments().size() != exactly) {
            throw Fault.forbidden(Fault.quote(name) + " takes one argument.", translator.position(call));
        }
        return arguments(call.getArguments(), exactly, name, translator.position(call));
    }

    private @Nullable String functionName(AstNode target) {
        if (target instanceof Name name) {
            return name.getIdentifier();
        }
        if (target instanceof PropertyGet member
                && member.getTarget() instanceof Name space
                && Functions.NAMESPACES.contains(space.getIdentifier())
                && !translator.isLocal(space.getIdentifier())) {
            return space.getIdentifier() + "." + member.getProperty().getIdentifier();
        }
        return null;
    }

    private LinearRegex regex(RegExpLiteral regex) {
        @Nullable String flags = regex.getFlags();
        return LinearRegex.compile(regex.getValue(), flags == null ? "" : flags, translator.position(regex));
    }

    /**
     * Whether {@code ?.} follows the target. Asked of the source, because the parser marks everything behind the first
     * {@code ?.} of a chain as optional.
     */
    private boolean isOptionalAfter(AstNode target) {
        String source = translator.source();
        int next = target.getAbsolutePosition() - 1 + target.getLength();
        while (next >= 0 && next < source.length() && JavaScriptSpace.isSpace(source.charAt(next))) {
            next++;
        }
        if (next < 0 || next >= source.length() || ".[(?".indexOf(source.charAt(next)) < 0) {
            throw Fault.syntax("The expression is not understood here.", translator.position(target));
        }
        return source.startsWith("?.", next);
    }

    private static Map<String, Iteration> iterations() {
        Map<String, Iteration> byName = new HashMap<>();
        for (Iteration iteration : Iteration.values()) {
            byName.put(iteration.method(), iteration);
        }
        return Map.copyOf(byName);
    }
}
