package dev.gannet.conformance.connect;

import com.google.protobuf.Any;
import com.google.protobuf.Message;
import connectrpc.conformance.v1.Service.ConformancePayload.RequestInfo;
import dev.gannet.api.CallContext;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** What a handler received in its call, to be returned to the client. */
final class RequestInfos {
  private RequestInfos() {}

  /** Request headers, the time left, and these requests. */
  static RequestInfo of(CallContext call, List<? extends Message> requests) {
    RequestInfo.Builder info = ofRequests(requests).toBuilder();
    info.addAllRequestHeaders(Fields.headers(call.requestHeaders()));
    call.deadline()
        .map(deadline -> TimeUnit.NANOSECONDS.toMillis(deadline.remainingNanos()))
        .ifPresent(leftMillis -> info.setTimeoutMs(Math.max(0, leftMillis)));
    return info.build();
  }

  /** Only these requests. */
  static RequestInfo ofRequests(List<? extends Message> requests) {
    return RequestInfo.newBuilder()
        .addAllRequests(requests.stream().map(Any::pack).toList())
        .build();
  }
}
