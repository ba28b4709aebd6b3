package dev.gannet.conformance.stubs;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.annotation.Annotation;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Comparator;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.opentest4j.TestAbortedException;
import org.reactivestreams.tck.flow.support.PublisherVerificationRules;
import org.reactivestreams.tck.flow.support.SubscriberBlackboxVerificationRules;
import org.testng.SkipException;
import org.testng.annotations.AfterClass;
import org.testng.annotations.BeforeClass;
import org.testng.annotations.BeforeMethod;
import org.testng.annotations.Test;

/**
 * Runs the rules of the Reactive Streams TCK, which are written for TestNG, as tests of JUnit: each
 * on an object of its own, a rule that does not apply as an aborted one.
 */
final class Kit {
  private Kit() {}

  /** A test for each rule that a publisher is held to. */
  static Stream<DynamicTest> publisherRules(Supplier<?> verification) {
    return rules(verification, PublisherVerificationRules.class);
  }

  /** A test for each rule that a subscriber is held to. */
  static Stream<DynamicTest> subscriberRules(Supplier<?> verification) {
    return rules(verification, SubscriberBlackboxVerificationRules.class);
  }

  private static Stream<DynamicTest> rules(Supplier<?> verification, Class<?> rules) {
    Method[] all = verification.get().getClass().getMethods();
    assertThat(all).filteredOn(Kit::isRule).hasSizeGreaterThan(rules.getMethods().length / 2);
    return Arrays.stream(all)
        .filter(Kit::isRule)
        .sorted(Comparator.comparing(Method::getName))
        .map(rule -> DynamicTest.dynamicTest(rule.getName(), () -> run(rule, verification.get())));
  }

  private static boolean isRule(Method method) {
    return method.isAnnotationPresent(Test.class) && method.getParameterCount() == 0;
  }

  private static void run(Method rule, Object verification) throws Throwable {
    callEach(BeforeClass.class, verification);
    callEach(BeforeMethod.class, verification);
    try {
      rule.invoke(verification);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof SkipException skipped) {
        throw new TestAbortedException(skipped.getMessage());
      }
      throw e.getCause();
    } finally {
      callEach(AfterClass.class, verification);
    }
  }

  private static void callEach(Class<? extends Annotation> when, Object verification)
      throws ReflectiveOperationException {
    for (Method method : verification.getClass().getMethods()) {
      if (method.isAnnotationPresent(when)) {
        method.invoke(verification);
      }
    }
  }
}
