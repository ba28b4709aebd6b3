rootProject.name = "hello"
