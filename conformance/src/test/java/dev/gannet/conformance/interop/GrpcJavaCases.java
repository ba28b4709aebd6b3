package dev.gannet.conformance.interop;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.stream.Stream;

/**
 * A program that runs many interop cases by grpc-java's own test client, one after the other in one
 * process: its main method runs one case and ends the JVM, and starting a JVM takes longer than
 * most cases. Needs nothing but the JDK and grpc-java on its class path.
 */
final class GrpcJavaCases {
  private static final String CLIENT = "io.grpc.testing.integration.TestServiceClient";
  private static final String CASES_FLAG = "--test_case=";
  private static final String ORCA_POLICY =
      "--service_config_json={\"loadBalancingConfig\":[{\"test_backend_metrics_load_balancer\":{}}]}";

  private GrpcJavaCases() {}

  /** Takes the client's own flags; {@code --test_case} may name several with commas between. */
  public static void main(String[] args) {
    List<String> cases =
        Stream.of(args)
            .filter(it -> it.startsWith(CASES_FLAG))
            .flatMap(it -> Stream.of(it.substring(CASES_FLAG.length()).split(",", -1)))
            .toList();
    List<String> flags = Stream.of(args).filter(it -> !it.startsWith(CASES_FLAG)).toList();
    registerPolicy();
    for (String name : cases) {
      System.out.println(name + ": " + verdict(name, flags));
    }
    System.exit(0);
  }

  /** What the client's main method does before all else. */
  private static void registerPolicy() {
    try {
      Class<?> registry = Class.forName("io.grpc.LoadBalancerRegistry");
      Constructor<?> policy =
          Class.forName("io.grpc.testing.integration.CustomBackendMetricsLoadBalancerProvider")
              .getDeclaredConstructor();
      policy.setAccessible(true);
      registry
          .getMethod("register", Class.forName("io.grpc.LoadBalancerProvider"))
          .invoke(registry.getMethod("getDefaultRegistry").invoke(null), policy.newInstance());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("this grpc-java has no such policy", e);
    }
  }

  private static String verdict(String testCase, List<String> flags) {
    try {
      run(testCase, flags);
      return "passed";
    } catch (InvocationTargetException e) {
      return "FAILED: " + e.getCause();
    } catch (ReflectiveOperationException e) {
      return "FAILED: this grpc-java has another test client: " + e;
    }
  }

  private static void run(String testCase, List<String> flags) throws ReflectiveOperationException {
    Object client = Class.forName(CLIENT).getConstructor().newInstance();
    Stream<String> more =
        testCase.startsWith("orca_")
            ? Stream.of(CASES_FLAG + testCase, ORCA_POLICY)
            : Stream.of(CASES_FLAG + testCase);
    String[] given = Stream.concat(flags.stream(), more).toArray(String[]::new);
    method("parseArgs", String[].class).invoke(client, (Object) given);
    method("setUp").invoke(client);
    try {
      method("run").invoke(client);
    } finally {
      method("tearDown").invoke(client);
    }
  }

  private static Method method(String name, Class<?>... parameters)
      throws ReflectiveOperationException {
    Method method = Class.forName(CLIENT).getDeclaredMethod(name, parameters);
    method.setAccessible(true);
    return method;
  }
}
