package dev.flowstone.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import org.jspecify.annotations.NullMarked;

/** What belongs to one room only, and what belongs to none. */
@AnalyzeClasses(
        packages = "dev.flowstone",
        importOptions = {DoNotIncludeTests.class, WrittenByHand.class})
final class HouseRulesTest {
    @ArchTest
    static final ArchRule jdbcStaysInTheStore = noClasses()
            .that()
            .resideOutsideOfPackage(Floors.POSTGRES)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("java.sql..", "javax.sql..")
            .because("the engine owns ports, not statements: the in-memory journal must stay as good as the real one");

    @ArchTest
    static final ArchRule postgresIsKnownInOneModule = noClasses()
            .that()
            .resideOutsideOfPackage(Floors.POSTGRES)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.postgresql..", "com.zaxxer.hikari..", "org.flywaydb..", "io.zonky..")
            .because("drivers, pools and migrations change with the database, and only that module does");

    @ArchTest
    static final ArchRule oneClientLeavesTheHouse = noClasses()
            .that()
            .resideOutsideOfPackage(Floors.OUTBOUND)
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.apache.hc..")
            .because("a second client would check neither names nor addresses nor redirects (ADR 0028)");

    @ArchTest
    static final ArchRule tokensAreReadInOneModule = noClasses()
            .that()
            .resideOutsideOfPackage(Floors.SECURITY)
            .should()
            .dependOnClassesThat()
            .resideInAPackage("com.nimbusds..")
            .because("a second reader of tokens would allow other algorithms and keys (ADR 0035)");

    @ArchTest
    static final ArchRule kafkaIsKnownToOneClass = noClasses()
            .that()
            .doNotHaveFullyQualifiedName("dev.flowstone.server.subscription.KafkaSinks")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.apache.kafka..")
            .because("where no Kafka is configured none of it is loaded (ADR 0032)");

    @ArchTest
    static final ArchRule onlyTheCommandLinePrints = noClasses()
            .that()
            .resideOutsideOfPackage(Floors.COMMAND_LINE)
            .should(ACCESS_STANDARD_STREAMS)
            .because(
                    "standard output is a promise to scripts (one line, one JSON object); everybody else logs or returns");

    @ArchTest
    static final ArchRule onlyTheCommandLineExits = noClasses()
            .that()
            .resideOutsideOfPackage(Floors.COMMAND_LINE)
            .should()
            .callMethod(System.class, "exit", int.class)
            .because("exit codes are the command line's words, and an engine inside a test must not end the test");

    @ArchTest
    static final ArchRule everyPackageIsNullMarked = classes()
            .should(new BeInANullMarkedPackage())
            .because("without @NullMarked in its package-info.java a package promises its callers nothing about null");

    private static final class BeInANullMarkedPackage extends ArchCondition<JavaClass> {
        BeInANullMarkedPackage() {
            super("be in a @NullMarked package");
        }

        @Override
        public void check(JavaClass type, ConditionEvents events) {
            boolean marked = type.getPackage().isAnnotatedWith(NullMarked.class);
            events.add(new SimpleConditionEvent(type, marked, type.getPackageName() + " of " + type.getName()));
        }
    }
}
