package dev.flowstone.expression;

import static dev.flowstone.expression.Sample.table;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Operators and numbers, one line each: expression → value. A value in capitals is the code of an error. */
final class LanguageOperatorsTest {
    @TestFactory
    Stream<DynamicTest> operators() {
        return table("""
                1 + 2 → 3
                0.1 + 0.2 → 0.30000000000000004
                0.1 + 0.2 === 0.3 → false
                0.1 * 1 === 0.1 → true
                '1' + 2 → "12"
                1 + '2' → "12"
                1 + null → 1
                1 + true → 2
                1 + undefined → TYPE
                'a' + null + undefined → "anullundefined"
                'a' + [1, [2, null], 3] → "a1,2,,3"
                'a' + {} → TYPE
                [] + [] → ""
                1 + 2 + 'a' + 1 + 2 → "3a12"
                7 - '2' → 5
                2 * 3 → 6
                7 / 2 → 3.5
                1 / 0 → TYPE
                -7 % 3 → -1
                7 % 0 → TYPE
                2 ** 10 → 1024
                2 ** 3 ** 2 → 512
                -2 ** 2 → SYNTAX
                (-2) ** 2 → 4
                -trigger.boardId → -7
                +'12' → 12
                +'0x10' → 16
                +'' → 0
                +' 5 ' → 5
                +'5x' → TYPE
                +[] → TYPE
                - -1 → 1
                !0 → true
                !'' → true
                !'0' → false
                ![] → false
                !!{} → true
                !NaN → true
                typeof 1 → "number"
                typeof (1 / 3) → "number"
                typeof '' → "string"
                typeof null → "object"
                typeof undefined → "undefined"
                typeof [] → "object"
                typeof true → "boolean"
                1 < 2 → true
                2 <= 2 → true
                'a' < 'b' → true
                'B' < 'a' → true
                '10' < '9' → true
                '10' < 9 → false
                null < 1 → true
                undefined < 1 → false
                undefined >= 1 → false
                NaN <= NaN → false
                [1] < 2 → TYPE
                3 > 2 > 1 → false
                1 === 1.0 → true
                1 === '1' → false
                1 == '1' → true
                null == undefined → true
                null === undefined → false
                null == 0 → false
                '' == 0 → true
                true == 1 → true
                true == '1' → true
                true === true → true
                NaN === NaN → false
                NaN == NaN → false
                NaN !== NaN → true
                [1] == 1 → true
                [1, 2] == '1,2' → true
                {} == '[object Object]' → false
                [1, {a: 2}] === [1, {a: 2.0}] → true
                {a: 1, b: 2} === {b: 2, a: 1} → true
                {a: 1} === {a: 2} → false
                [1] === {} → false
                [] !== [1] → true
                trigger.yes && trigger.tags[0] → "red"
                trigger.no && trigger.missing.more → false
                trigger.yes || trigger.missing.more → true
                trigger.none ?? 'd' → "d"
                trigger.missing ?? trigger.none ?? 3 → 3
                trigger.zero ?? 1 → 0
                trigger.zero || 1 → 1
                1 && 2 && 3 → 3
                0 || '' || 'x' → "x"
                (1 && 0) || 2 → 2
                true || false && false → true
                a ?? b || c → SYNTAX
                trigger.yes ? 1 : 2 → 1
                trigger.no ? 1 : trigger.empty ? 2 : 3 → 3
                1 + 2 * 3 - 4 / 2 → 5
                (1 + 2) * 3 → 9
                1 | 2 → FORBIDDEN
                1 & 2 → FORBIDDEN
                1 << 2 → FORBIDDEN
                ~1 → FORBIDDEN
                void 0 → FORBIDDEN
                delete trigger.n → FORBIDDEN
                trigger instanceof Object → FORBIDDEN
                """);
    }

    @TestFactory
    Stream<DynamicTest> exactNumbers() {
        return table("""
                trigger.n → 7615917337495251231
                trigger.d → 0.1000000000000000055
                +trigger.n → 7615917337495251231
                -trigger.n → -7615917337495251231
                Number('7615917337495251231') → 7615917337495251231
                trigger.n === 7615917337495251231 → true
                trigger.n === 7615917337495251232 → false
                trigger.n < 7615917337495251232 → true
                trigger.n == '7615917337495251231' → true
                trigger.d === 0.1 → false
                trigger.d > 0.1 → true
                trigger.n + 0 → 7615917337495251000
                trigger.n + 0 === trigger.n → false
                `${trigger.n}` → "7615917337495251231"
                '' + trigger.d → "0.1000000000000000055"
                Math.max(trigger.n, 1) → 7615917337495251231
                Math.floor(trigger.n) → 7615917337495251231
                Math.floor(-1.5) → -2
                Math.ceil(1.2) → 2
                Math.ceil(-1.2) → -1
                Math.round(2.5) → 3
                Math.round(-2.5) → -2
                Math.round(-2.6) → -3
                Math.trunc(-2.6) → -2
                Math.round(1 / 3) → 0
                Math.floor(7 / 2) → 3
                Math.abs(-3) → 3
                Math.min() → TYPE
                Math.min(3, '2', 5) → 2
                Math.max(1, undefined) → TYPE
                Math.max(1, 1 / 3) → 1
                '' + 1e21 → "1e+21"
                '' + 1e20 → "100000000000000000000"
                '' + 0.000001 → "0.000001"
                '' + 0.0000001 → "1e-7"
                '' + 1.50 → "1.5"
                '' + 1 / 3 → "0.3333333333333333"
                '' + (1 / 3) → "0.3333333333333333"
                '' + (-1 / 0) → "-Infinity"
                '' + 0 * -1 → "0"
                1e400 > 1e300 → true
                (1.005).toFixed(2) → "1.01"
                (2).toFixed(2) → "2.00"
                trigger.price.toFixed() → "13"
                (0.1 + 0.2).toFixed(3) → "0.300"
                (1).toFixed(101) → TYPE
                trigger.boardId.toString() → "7"
                (-0.001).toFixed(1) → "-0.0"
                1e1001 > 1 → true
                """);
    }
}
