package dev.gannet.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.MethodType;
import dev.gannet.api.ServerCall;
import dev.gannet.server.call.TestCalls;
import java.lang.ref.WeakReference;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The counts of a server's limited methods are kept as long as they are used. */
final class ConcurrentCallsByMethodTest {
  private static final MethodDescriptor<?, ?> METHOD =
      TestCalls.served(MethodType.UNARY, (call, headers) -> new ServerCall.Listener<>() {})
          .method();

  private final ConcurrentCallsByMethod calls =
      new ConcurrentCallsByMethod(
          new LimitsByMethod(
              Map.of(METHOD.serviceName(), MethodLimits.OF_SERVER.withMaxConcurrentCalls(1))));

  @Test
  void aCountThatIsUsedIsSharedByAllMethodsOfItsName() {
    Admission first = calls.of(METHOD).orElseThrow();
    System.gc();
    assertThat(calls.of(METHOD)).containsSame(first);
  }

  /** A registry may have any number of methods of a limited service. */
  @Test
  @Timeout(60)
  void aCountThatNoMethodAndNoCallUsesIsNotKept() {
    WeakReference<Admission> unused = new WeakReference<>(calls.of(METHOD).orElseThrow());
    while (unused.get() != null) {
      System.gc();
    }
    assertThat(calls.of(METHOD)).isPresent();
  }

  @Test
  void aMethodWithoutALimitHasNoCount() {
    assertThat(new ConcurrentCallsByMethod(LimitsByMethod.NONE).of(METHOD)).isEmpty();
  }
}
