package dev.gannet.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.Dispatch;
import dev.gannet.api.HeadersInterceptor;
import dev.gannet.api.ServerInterceptor;
import org.junit.jupiter.api.Test;

/** The options of a service are a value. */
final class ServiceOptionsTest {
  private static final HeadersInterceptor OF_HEADERS = (call, headers) -> {};
  private static final ServerInterceptor OF_CALLS = CallMetricRecorder.interceptor();

  private static ServiceOptions all() {
    return ServiceOptions.DEFAULT
        .withInterceptor(OF_CALLS)
        .withHeadersInterceptor(OF_HEADERS)
        .withDispatch(Dispatch.inline());
  }

  @Test
  void optionsAreEqualByValue() {
    assertThat(all()).isEqualTo(all()).hasSameHashCodeAs(all()).hasToString(all().toString());
    assertThat(all())
        .isNotEqualTo(ServiceOptions.DEFAULT)
        .isNotEqualTo(all().withInterceptor(OF_CALLS))
        .isNotEqualTo(all().withHeadersInterceptor(OF_HEADERS))
        .isNotEqualTo(all().withDispatch(Dispatch.virtualThreads()))
        .isNotEqualTo("options");
    assertThat(ServiceOptions.DEFAULT)
        .hasToString("ServiceOptions[interceptors=[], headersInterceptors=[]]");
  }
}
