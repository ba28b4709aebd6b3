package dev.gannet.server.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.transport.ServerStream;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What stands around a call or its stream must not lose what it has no use for. */
final class ForwardingTest {
  private static void assertForwards(Class<?> all, Class<?> forwarder) {
    List<String> forwarded =
        Arrays.stream(forwarder.getDeclaredMethods()).map(ForwardingTest::signature).toList();
    assertThat(all.getMethods())
        .extracting(ForwardingTest::signature)
        .isNotEmpty()
        .isSubsetOf(forwarded);
  }

  private static String signature(Method method) {
    return method.getName() + Arrays.toString(method.getParameterTypes());
  }

  @Test
  void aStreamThatWrapsAnotherForwardsEveryMethod() {
    assertForwards(ServerStream.class, ForwardingServerStream.class);
  }

  @Test
  void aListenerThatWrapsAnotherForwardsEveryMethod() {
    assertForwards(EngineCall.class, ForwardingCallListener.class);
  }
}
