package dev.gannet.examples.tls;

import dev.gannet.api.CallContext;
import dev.gannet.api.Status;
import dev.gannet.examples.greeter.Greeter;
import dev.gannet.examples.greeter.HelloReply;
import dev.gannet.examples.greeter.HelloRequest;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;

/** Greets clients by the name in their certificate; for a server with mutual TLS. */
public final class CertifiedGreeter implements Greeter {
  /** A greeter for all clients. */
  public CertifiedGreeter() {}

  @Override
  public HelloReply sayHello(HelloRequest request) throws SSLPeerUnverifiedException {
    SSLSession session =
        CallContext.current()
            .flatMap(CallContext::sslSession)
            .orElseThrow(
                () -> Status.UNAUTHENTICATED.withDescription("TLS is needed").asException());
    return HelloReply.newBuilder().setMessage("Hello " + session.getPeerPrincipal()).build();
  }
}
