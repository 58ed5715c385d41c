package dev.flowstone.expression;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.json.JsonBoolean;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonString;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.mozilla.javascript.Token;
import org.mozilla.javascript.ast.ArrayLiteral;
import org.mozilla.javascript.ast.Assignment;
import org.mozilla.javascript.ast.AstNode;
import org.mozilla.javascript.ast.ConditionalExpression;
import org.mozilla.javascript.ast.ElementGet;
import org.mozilla.javascript.ast.EmptyExpression;
import org.mozilla.javascript.ast.FunctionCall;
import org.mozilla.javascript.ast.FunctionNode;
import org.mozilla.javascript.ast.InfixExpression;
import org.mozilla.javascript.ast.KeywordLiteral;
import org.mozilla.javascript.ast.Name;
import org.mozilla.javascript.ast.NewExpression;
import org.mozilla.javascript.ast.NumberLiteral;
import org.mozilla.javascript.ast.ObjectLiteral;
import org.mozilla.javascript.ast.ObjectProperty;
import org.mozilla.javascript.ast.ParenthesizedExpression;
import org.mozilla.javascript.ast.PropertyGet;
import org.mozilla.javascript.ast.RegExpLiteral;
import org.mozilla.javascript.ast.ReturnStatement;
import org.mozilla.javascript.ast.StringLiteral;
import org.mozilla.javascript.ast.TaggedTemplateLiteral;
import org.mozilla.javascript.ast.TemplateCharacters;
import org.mozilla.javascript.ast.TemplateLiteral;
import org.mozilla.javascript.ast.UnaryExpression;
import org.mozilla.javascript.ast.UpdateExpression;

/**
 * The parser's tree to ours. What is not named here is refused: this list is the language, in code. Recurses as deep as
 * the source is nested, which it bounds; chains of operators and members are followed in loops.
 */
final class Translator {
    private static final int MOST_ARROW_PARAMETERS = 3;

    private final String source;
    private final ExpressionBudget budget;
    private final ReferenceCollector references = new ReferenceCollector();
    private final Map<String, Integer> locals = new HashMap<>();
    private int slots;
    private int functionDepth;

    Translator(String source, ExpressionBudget budget) {
        this.source = source;
        this.budget = budget;
    }

    Script script(AstNode tree) {
        Node root = node(tree, 0);
        return new Script(root, slots, references.toReferences());
    }

    /** Where a node begins, in characters of the source as its author wrote it. */
    int position(AstNode node) {
        return Math.clamp(node.getAbsolutePosition() - 1, 0, source.length());
    }

    String source() {
        return source;
    }

    Node node(AstNode node, int depth) {
        if (depth >= budget.sourceDepth()) {
            throw new Fault(
                    Fault.Code.BUDGET_DEPTH,
                    "The expression is nested more than " + budget.sourceDepth() + " levels deep.",
                    position(node));
        }
        return switch (node) {
            case ParenthesizedExpression inside -> node(inside.getExpression(), depth + 1);
            case KeywordLiteral keyword -> keyword(keyword);
            case Name name -> name(name);
            case StringLiteral text -> literal(text.getValue(), text);
            case NumberLiteral number -> number(number);
            case TemplateLiteral text -> templateLiteral(text, depth);
            case ConditionalExpression choice ->
                new Choice(
                        node(choice.getTestExpression(), depth + 1),
                        node(choice.getTrueExpression(), depth + 1),
                        node(choice.getFalseExpression(), depth + 1));
            case UnaryExpression unary -> unary(unary, depth);
            case ArrayLiteral array -> array(array, depth);
            case ObjectLiteral object -> object(object, depth);
            case NewExpression creation -> throw Fault.forbidden("'new' is not part of the language.", position(node));
            case FunctionCall call -> new ChainTranslator(this, depth).chain(call);
            case PropertyGet member -> new ChainTranslator(this, depth).chain(member);
            case ElementGet element -> new ChainTranslator(this, depth).chain(element);
            case Assignment assignment ->
                throw Fault.forbidden("Nothing can be assigned to; write === to compare.", position(node));
            case InfixExpression infix -> infix(infix, depth);
            default -> throw refused(node);
        };
    }

    private Node keyword(KeywordLiteral keyword) {
        return switch (keyword.getType()) {
            case Token.TRUE -> new Literal(JsonBoolean.TRUE);
            case Token.FALSE -> new Literal(JsonBoolean.FALSE);
            case Token.NULL -> new Literal(JsonNull.NULL);
            case Token.UNDEFINED -> new Literal(Undefined.UNDEFINED);
            default -> throw refused(keyword);
        };
    }

    private Node name(Name name) {
        String identifier = name.getIdentifier();
        @Nullable Integer slot = locals.get(identifier);
        if (slot != null) {
            return new LocalName(slot);
        }
        return switch (identifier) {
            case "undefined" -> new Literal(Undefined.UNDEFINED);
            case "NaN" -> new Literal(Double.NaN);
            case "Infinity" -> new Literal(Double.POSITIVE_INFINITY);
            default -> {
                references.root(identifier);
                yield new RootName(identifier, position(name));
            }
        };
    }

    boolean isLocal(String identifier) {
        return locals.containsKey(identifier);
    }

    private Node number(NumberLiteral number) {
        Object value = Numbers.literal(number.getValue().replace("_", ""), false);
        if (Numbers.isNaN(value)) {
            throw Fault.syntax(
                    Fault.quote(number.getValue()) + " is not a number that the language has.", position(number));
        }
        return new Literal(value);
    }

    private Literal literal(String text, AstNode node) {
        return new Literal(new JsonString(wellFormed(text, node)));
    }

    private String wellFormed(String text, AstNode node) {
        if (!WellFormed.is(text)) {
            throw Fault.syntax("Half of a surrogate pair is no character.", position(node));
        }
        return text;
    }

    private Node templateLiteral(TemplateLiteral literal, int depth) {
        List<Node> parts = new ArrayList<>();
        for (AstNode element : literal.getElements()) {
            parts.add(
                    element instanceof TemplateCharacters text
                            ? literal(text.getValue(), element)
                            : node(element, depth + 1));
        }
        return new TemplateText(parts, position(literal));
    }

    private Node unary(UnaryExpression unary, int depth) {
        Unary.Operator operator = switch (unary.getType()) {
            case Token.NOT -> Unary.Operator.NOT;
            case Token.NEG -> Unary.Operator.NEGATE;
            case Token.POS -> Unary.Operator.NUMBER;
            case Token.TYPEOF -> Unary.Operator.TYPEOF;
            default -> throw refused(unary);
        };
        return new Unary(operator, node(unary.getOperand(), depth + 1), position(unary));
    }

    private Node array(ArrayLiteral array, int depth) {
        List<Node> elements = new ArrayList<>();
        for (AstNode element : array.getElements()) {
            if (element instanceof EmptyExpression) {
                throw Fault.syntax("An array has no gaps.", position(element));
            }
            elements.add(node(element, depth + 1));
        }
        return new ArrayLiteralNode(elements, position(array));
    }

    private Node object(ObjectLiteral object, int depth) {
        List<ObjectLiteralNode.Property> properties = new ArrayList<>();
        for (AstNode element : object.getElements()) {
            if (!(element instanceof ObjectProperty property) || property.isMethod()) {
                throw Fault.forbidden("An object has only members of the form name: value.", position(element));
            }
            String name = switch (property.getKey()) {
                case Name word -> word.getIdentifier();
                case StringLiteral text -> wellFormed(text.getValue(), text);
                case NumberLiteral number -> Numbers.text(((Literal) number(number)).value());
                default -> throw Fault.forbidden("An object's member names are fixed.", position(element));
            };
            properties.add(new ObjectLiteralNode.Property(name, node(property.getValue(), depth + 1)));
        }
        return new ObjectLiteralNode(properties, position(object));
    }

    private Node infix(InfixExpression infix, int depth) {
        return switch (infix.getType()) {
            case Token.AND -> shortCircuit(ShortCircuit.Kind.AND, infix, depth);
            case Token.OR -> shortCircuit(ShortCircuit.Kind.OR, infix, depth);
            case Token.NULLISH_COALESCING -> shortCircuit(ShortCircuit.Kind.NULLISH, infix, depth);
            case Token.EXP ->
                new BinaryChain(
                        node(infix.getLeft(), depth + 1),
                        List.of(new BinaryChain.Next(
                                BinaryOperator.POWER, node(infix.getRight(), depth + 1), position(infix))));
            default -> binary(infix, depth);
        };
    }

    /** All operands of one operator, whichever side the parser has nested them on: it is associative. */
    private Node shortCircuit(ShortCircuit.Kind kind, InfixExpression infix, int depth) {
        List<Node> operands = new ArrayList<>();
        List<AstNode> waiting = new ArrayList<>(List.of(infix));
        while (!waiting.isEmpty()) {
            AstNode next = waiting.removeLast();
            if (next instanceof InfixExpression nested && nested.getType() == infix.getType()) {
                waiting.add(nested.getRight());
                waiting.add(nested.getLeft());
            } else {
                operands.add(node(next, depth + 1));
            }
        }
        return new ShortCircuit(kind, operands);
    }

    private Node binary(InfixExpression infix, int depth) {
        List<BinaryChain.Next> rest = new ArrayList<>();
        AstNode first = infix;
        while (first instanceof InfixExpression next && operator(next) != null) {
            BinaryOperator operator = requireNonNull(operator(next));
            rest.add(new BinaryChain.Next(operator, node(next.getRight(), depth + 1), position(next.getRight())));
            first = next.getLeft();
        }
        if (rest.isEmpty()) {
            throw refused(infix);
        }
        Collections.reverse(rest);
        return new BinaryChain(node(first, depth + 1), rest);
    }

    private static @Nullable BinaryOperator operator(InfixExpression infix) {
        return switch (infix.getType()) {
            case Token.SHEQ -> BinaryOperator.STRICT_EQUAL;
            case Token.SHNE -> BinaryOperator.STRICT_UNEQUAL;
            case Token.EQ -> BinaryOperator.LOOSE_EQUAL;
            case Token.NE -> BinaryOperator.LOOSE_UNEQUAL;
            case Token.LT -> BinaryOperator.LESS;
            case Token.LE -> BinaryOperator.AT_MOST;
            case Token.GT -> BinaryOperator.GREATER;
            case Token.GE -> BinaryOperator.AT_LEAST;
            case Token.ADD -> BinaryOperator.ADD;
            case Token.SUB -> BinaryOperator.SUBTRACT;
            case Token.MUL -> BinaryOperator.MULTIPLY;
            case Token.DIV -> BinaryOperator.DIVIDE;
            case Token.MOD -> BinaryOperator.REMAINDER;
            case Token.IN -> BinaryOperator.IN;
            default -> null;
        };
    }

    /** @param method the method that takes it */
    Arrow arrow(AstNode node, String method, int depth) {
        if (!(node instanceof FunctionNode function)) {
            throw Fault.forbidden(
                    Fault.quote(method) + " takes an arrow function, such as item => item.open.", position(node));
        }
        if (function.getFunctionType() != FunctionNode.ARROW_FUNCTION
                || !function.isExpressionClosure()
                || function.isGenerator()
                || function.hasRestParameter()
                || function.getDefaultParams() != null
                || function.getParams().size() > MOST_ARROW_PARAMETERS
                || !(function.getBody().getFirstChild() instanceof ReturnStatement body)) {
            throw Fault.forbidden(
                    "A function has the form item => expression, or (item, index, array) => expression.",
                    position(node));
        }
        if (++functionDepth > budget.functionDepth()) {
            throw new Fault(
                    Fault.Code.BUDGET_DEPTH,
                    "Functions are nested more than " + budget.functionDepth() + " levels deep.",
                    position(node));
        }
        Map<String, Integer> outer = new HashMap<>(locals);
        List<Integer> parameters = new ArrayList<>();
        for (AstNode parameter : function.getParams()) {
            if (!(parameter instanceof Name name)) {
                throw Fault.forbidden("A parameter is a plain name.", position(parameter));
            }
            locals.put(name.getIdentifier(), slots);
            parameters.add(slots++);
        }
        Node result = node(body.getReturnValue(), depth + 1);
        locals.clear();
        locals.putAll(outer);
        functionDepth--;
        return new Arrow(parameters, result);
    }

    /** Called for every finished member chain. */
    Node chained(Node base, List<Link> links) {
        references.chain(base, links);
        return links.isEmpty() ? base : new Chain(base, links.toArray(Link[]::new));
    }

    Fault refused(AstNode node) {
        String what = switch (node) {
            case FunctionNode function -> "A function stands only as the argument of a method such as filter";
            case RegExpLiteral regex -> "A regular expression stands only in /…/.test(text) or text.match(/…/)";
            case TaggedTemplateLiteral tagged -> "A tagged template is not part of the language";
            case UpdateExpression update -> "'++' and '--' are not part of the language";
            case InfixExpression infix
            when infix.getType() == Token.COMMA -> "The comma operator is not part of the language";
            case InfixExpression infix
            when infix.getType() == Token.BITOR ->
                "'|' is not part of the language: there are no bit operators and no filters";
            case KeywordLiteral keyword -> "'this' is not part of the language";
            default -> "This kind of expression is not part of the language";
        };
        return Fault.forbidden(what + ".", position(node));
    }
}
