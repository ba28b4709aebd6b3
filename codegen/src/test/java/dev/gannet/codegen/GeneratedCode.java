package dev.gannet.codegen;

import com.google.protobuf.compiler.PluginProtos.CodeGeneratorResponse;
import dev.gannet.api.BindableService;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.ServerServiceDefinition;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * What the plug-in makes of all files in {@code src/test/protobuf}, compiled together with the
 * messages that protoc made.
 *
 * @param complaints what the strictest compiler had to say about it
 */
record GeneratedCode(ClassLoader classes, String complaints) {
  /** Overrides nothing: each call runs the interface's own code. */
  private static final InvocationHandler DEFAULT_METHODS =
      (proxy, method, arguments) -> InvocationHandler.invokeDefault(proxy, method, arguments);

  static GeneratedCode in(Path folder) {
    try {
      Path sources = Files.createDirectories(folder.resolve("sources"));
      Path classes = Files.createDirectories(folder.resolve("classes"));
      Javac.compile(Protoc.OUTPUT.resolve("java"), classes, "-nowarn");
      for (CodeGeneratorResponse.File file :
          Protoc.generateWith(Protoc.ALL_STYLES, Protoc.ownFiles().toArray(String[]::new))
              .getFileList()) {
        Path path = sources.resolve(file.getName());
        Files.createDirectories(path.getParent());
        Files.writeString(path, file.getContent());
      }
      String complaints =
          Javac.compile(sources, classes, "-Xlint:all", "-Xdoclint:all,-missing", "-Werror");
      return new GeneratedCode(loader(classes), complaints);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Class<?> type(String name) {
    try {
      return classes.loadClass(name);
    } catch (ClassNotFoundException e) {
      throw new LinkageError(name, e);
    }
  }

  /** A service that overrides nothing. */
  BindableService service(String name) {
    return (BindableService)
        Proxy.newProxyInstance(classes, new Class<?>[] {type(name)}, DEFAULT_METHODS);
  }

  /** A client that overrides nothing. */
  Object fake(String name) {
    return Proxy.newProxyInstance(classes, new Class<?>[] {type(name)}, DEFAULT_METHODS);
  }

  ServerServiceDefinition bound(String name) {
    return service(name).bindService();
  }

  MethodDescriptor<?, ?> method(String methodsClass, String constant) {
    try {
      return (MethodDescriptor<?, ?>) type(methodsClass).getField(constant).get(null);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(constant, e);
    }
  }

  /** The signatures of an interface's own methods, in alphabetical order. */
  List<String> signatures(String name) {
    return Arrays.stream(type(name).getDeclaredMethods())
        .filter(method -> !method.isSynthetic())
        .map(Method::toGenericString)
        .map(signature -> signature.replace("public default ", "").replace(name + ".", ""))
        .sorted()
        .toList();
  }

  List<String> methodNames(String name) {
    return Arrays.stream(type(name).getDeclaredMethods())
        .filter(method -> !method.isSynthetic())
        .map(Method::getName)
        .toList();
  }

  private static ClassLoader loader(Path classes) throws MalformedURLException {
    return new URLClassLoader(
        new URL[] {classes.toUri().toURL()}, GeneratedCode.class.getClassLoader());
  }
}
